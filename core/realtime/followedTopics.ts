import { type Random, randomHex } from "../ports/random.ts";
import type { Topic } from "./clientMessages.ts";
import type { OutgoingMessage } from "./messageQueue.ts";

/** Sends a message; false when the socket is not connected. */
type Send = (message: OutgoingMessage) => boolean;

interface FollowedTopic {
  readonly topic: Topic;
  followers: number;
}

/**
 * The topics that the page follows: each is subscribed to once however many follow it, and unsubscribed from when none does.
 * A resource that is followed again is asked for (RT12), because its changes were not received meanwhile.
 */
export class FollowedTopics {
  readonly #random: Random;
  readonly #send: Send;
  readonly #followed = new Map<string, FollowedTopic>();
  /** The topics whose changes may have been missed. */
  readonly #missed = new Set<string>();

  constructor(random: Random, send: Send) {
    this.#random = random;
    this.#send = send;
  }

  /** Follows a topic until the returned function is called. */
  follow(topic: Topic): () => void {
    const name = JSON.stringify(topic);
    const followed = this.#followed.get(name) ?? { topic, followers: 0 };
    this.#followed.set(name, followed);
    followed.followers += 1;
    if (followed.followers === 1) this.#subscribe(name, topic, this.#send);
    let isFollowing = true;
    return () => {
      if (!isFollowing) return;
      isFollowing = false;
      followed.followers -= 1;
      if (followed.followers === 0) this.#letGo(name, topic);
    };
  }

  /** Subscribes a new connection to all topics; `send` sends at once. */
  subscribeAll(send: Send): void {
    for (const [name, { topic }] of this.#followed) this.#subscribe(name, topic, send);
  }

  #subscribe(name: string, topic: Topic, send: Send): void {
    const isSent = send({ type: "subscribe", data: topic });
    if (!isSent || !this.#missed.delete(name) || "channel" in topic) return;
    send({ type: "request_update", data: { ...topic, requestId: randomHex(this.#random, 8) } });
  }

  #letGo(name: string, topic: Topic): void {
    this.#followed.delete(name);
    this.#missed.add(name);
    this.#send({ type: "unsubscribe", data: topic });
  }
}
