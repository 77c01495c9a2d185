import { connect, type Socket } from "node:net";

/** One mail that is sent repeatedly, as it is on the wire: dots stuffed, ended by CRLF.CRLF. */
export interface Load {
  readonly recipient: string;
  readonly content: Buffer;
}

export const createLoad = (recipient: string, size: number): Load => {
  const header = "From: Shop <orders@shop.example>\r\nSubject: A mail to measure with\r\n\r\n";
  const line = `${"x".repeat(76)}\r\n`;
  const body = line.repeat(Math.max(1, Math.round((size - header.length) / line.length)));
  return { recipient, content: Buffer.from(`${header}${body}.\r\n`) };
};

const replyReader = (socket: Socket): (() => Promise<string>) => {
  let text = "";
  let waiting: ((reply: string) => void) | null = null;
  const tell = (): void => {
    const reply = /^(?:\d{3}-[^\n]*\n)*\d{3}(?: [^\n]*)?\n/.exec(text)?.[0];
    if (!waiting || reply === undefined) return;
    text = text.slice(reply.length);
    const resolve = waiting;
    waiting = null;
    resolve(reply);
  };
  socket.setEncoding("latin1");
  socket.on("data", (part) => {
    text += part;
    tell();
  });
  return () =>
    new Promise((resolve) => {
      waiting = resolve;
      tell();
    });
};

const expecting = async (code: string, reply: Promise<string>): Promise<void> => {
  const answer = await reply;
  if (!answer.startsWith(code)) throw new Error(`expected ${code}, got ${answer.trim()}`);
};

/** Opens a connection and returns the function that sends the load once and resolves after its 250. */
export const openSender = async (
  port: number,
  load: Load,
): Promise<{ readonly send: () => Promise<void>; readonly close: () => void }> => {
  const socket = connect(port, "127.0.0.1");
  socket.setNoDelay(true);
  const reply = replyReader(socket);
  await expecting("220", reply());
  socket.write("EHLO bench.example\r\n");
  await expecting("250", reply());
  const envelope = `MAIL FROM:<orders@shop.example>\r\nRCPT TO:<${load.recipient}>\r\nDATA\r\n`;
  return {
    send: async () => {
      socket.write(envelope);
      await expecting("250", reply());
      await expecting("250", reply());
      await expecting("354", reply());
      socket.write(load.content);
      await expecting("250", reply());
    },
    close: () => socket.destroy(),
  };
};
