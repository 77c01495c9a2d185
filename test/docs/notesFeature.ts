import type { Edit } from "./overlay.ts";

/** The files of a feature that does not exist: notes, of which a job reminds their user. */
export const notesFiles: Readonly<Record<string, string>> = {
  "core/notes/noteEndpoints.ts": `import * as t from "io-ts";
import { endpoint } from "../api/endpoint.ts";
import { requiredText } from "../api/textCodecs.ts";

export const Note = t.type({ id: t.string, text: t.string });
export type Note = t.TypeOf<typeof Note>;

/** Lists the notes, oldest first. */
export const listNotes = endpoint("GET", "/notes", { answer: t.type({ notes: t.readonlyArray(Note) }) });

/** Makes a note. */
export const postNote = endpoint("POST", "/notes", {
  status: 201,
  body: t.type({ text: requiredText("Write something") }),
  answer: Note,
});
`,
  "core/notes/notes.ts": `import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { Subscription } from "rxjs";
import type { Call } from "../api/call.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { createState, type State } from "../kernel/state.ts";
import { listNotes, type Note, postNote } from "./noteEndpoints.ts";

export interface Notes {
  readonly notes$: State<readonly Note[]>;
  readonly refresh: () => TE.TaskEither<Problem, void>;
  readonly add: (text: string) => TE.TaskEither<Problem, void>;
}

export const createNotes = ({ call }: { readonly call: Call }): Notes & { readonly start: () => Subscription } => {
  const notes$ = createState<readonly Note[]>([]);
  return {
    notes$,
    refresh: () =>
      pipe(call(listNotes)(), TE.bimap(problemOf({ page: "Failed to load your notes" }), ({ notes }) => notes$.set(notes))),
    add: (text) =>
      pipe(
        call(postNote)({ body: { text } }),
        TE.bimap(problemOf({ page: "Failed to save the note" }), (note) => notes$.update((notes) => [...notes, note])),
      ),
    start: () => new Subscription(),
  };
};
`,
  "server/features/notes/noteTables.ts": `import type { Time } from "../../platform/store/tables.ts";

export interface NotesTable {
  id: string;
  user_id: string;
  text: string;
  created_at: Time;
  reminded_at: Time | null;
}

declare module "../../platform/store/tables.ts" {
  interface Tables {
    notes: NotesTable;
  }
}
`,
  "server/platform/store/migrations/0002_notes.ts": `import type { Kysely } from "kysely";

/** Adds the notes of users. */
export const notes = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .createTable("notes")
      .addColumn("id", "text", (c) => c.primaryKey())
      .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
      .addColumn("text", "text", (c) => c.notNull())
      .addColumn("created_at", "bigint", (c) => c.notNull())
      .addColumn("reminded_at", "bigint")
      .execute();
  },
});
`,
  "server/features/notes/noteQueries.ts": `import type { Note } from "../../../core/notes/noteEndpoints.ts";
import type { Db } from "../../platform/store/database.ts";

export const findNotes = (db: Db, userId: string): Promise<Note[]> =>
  db.selectFrom("notes").where("user_id", "=", userId).select(["id", "text"]).orderBy("id").execute();

export const insertNote = async (db: Db, userId: string, { id, text }: Note, now: number): Promise<void> => {
  await db.insertInto("notes").values({ id, user_id: userId, text, created_at: now, reminded_at: null }).execute();
};

/** Marks the notes that nobody was reminded of, and returns them. */
export const markReminded = (db: Db, now: number) =>
  db
    .updateTable("notes")
    .set({ reminded_at: now })
    .where("reminded_at", "is", null)
    .returning(["user_id as userId", "text"])
    .execute();

/** Deletes the notes that their users were reminded of. */
export const pruneNotes = async (db: Db, now: number): Promise<void> => {
  await db.deleteFrom("notes").where("reminded_at", "<", now).execute();
};
`,
  "server/features/notes/userNotes.ts": `import type { Note } from "../../../core/notes/noteEndpoints.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import type { Db } from "../../platform/store/database.ts";
import { newId } from "../../platform/store/id.ts";
import { insertNote } from "./noteQueries.ts";

export const addNote = async (
  { clock, random }: Pick<ServerContext, "clock" | "random">,
  tx: Db,
  userId: string,
  text: string,
): Promise<Note> => {
  const note = { id: newId(random), text };
  await insertNote(tx, userId, note, clock.now());
  return note;
};
`,
  "server/features/notes/noteRoutes.ts": `import type { FastifyInstance } from "fastify";
import { listNotes, postNote } from "../../../core/notes/noteEndpoints.ts";
import type { FeatureContext } from "../../context/feature.ts";
import { routeSignedIn, routeWrite } from "../../platform/http/route.ts";
import { findNotes } from "./noteQueries.ts";
import { addNote } from "./userNotes.ts";

/** Registers the endpoints of notes, each limited to the signed-in user's own rows. */
export const noteRoutes =
  (context: FeatureContext) =>
  (fastify: FastifyInstance): void => {
    const { authGuard, database } = context;
    routeSignedIn(fastify, authGuard, listNotes, async ({ auth }) => ({
      notes: await findNotes(database.db, auth.userId),
    }));
    routeWrite(
      fastify,
      authGuard,
      postNote,
      ({ tx, auth, body }) => addNote(context, tx, auth.userId, body.text),
      { addsData: true },
    );
  };
`,
  "server/features/notes/remindOfNotes.ts": `import { createIntervalTask } from "../../platform/ops/interval.ts";
import { addNotification } from "../notifications/notificationQueries.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { markReminded } from "./noteQueries.ts";

/** Reminds users of their notes. */
export const createNoteReminders = ({ database, clock, log, feed }: ServerContext) =>
  createIntervalTask(
    async () => {
      await database.transaction(async (db) => {
        for (const { userId, text } of await markReminded(db, clock.now()))
          await addNotification(db, { userId, type: "info", priority: "normal", message: text }, clock.now());
      });
      feed.wake();
    },
    { everyMs: 100, failureMessage: "reminding of notes failed", clock, log },
  );
`,
  "server/features/notes/noteMail.ts": `import { passedOn, type FoundRecipient, type RecipientKind } from "../../relay/receive/recipientKind.ts";
import type { MailPart } from "../../relay/mailPart.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { mailboxKey } from "../../../core/mail/emailAddress.ts";
import { findUserByMailbox } from "../../platform/store/users.ts";
import { addNote } from "./userNotes.ts";

const ofNotes: FoundRecipient = { route: null };

/** Creates the address to which users mail notes. */
const createNoteRecipients = (context: ServerContext): RecipientKind => {
  const { database } = context;
  const kind: RecipientKind = {
    find: ({ isOwnDomain, localPart }) => (isOwnDomain && localPart === "notes" ? ofNotes : null),
    admit: (found, transaction) => {
      transaction.accept(kind, "notes", found);
      return null;
    },
    receive: async (_mail, { parameters }) => {
      const user = await findUserByMailbox(database.db, mailboxKey(parameters.sender));
      if (!user) return passedOn;
      await database.transaction((tx) => addNote(context, tx, user.id, "mailed"));
      return { kind: "taken", reply: null };
    },
  };
  return kind;
};

/** Creates what notes have to do with mail: their address, what is refused, and a field of copies. */
export const createNoteMail = (context: ServerContext): MailPart => ({
  recipients: [createNoteRecipients(context)],
  judges: [
    async ({ mail }) => ({
      listed: null,
      verdict: mail.content.head.includes("No notes") ? { kind: "refuse", by: "blocked-sender" } : null,
    }),
  ],
  treatments: [() => () => ({ fields: { text: "X-Notes: yes\\r\\n" } })],
});
`,
  "server/features/notes/noteFeature.ts": `import { toPart } from "../../platform/ops/lifecycle.ts";
import type { CreateFeature } from "../../context/feature.ts";
import { createNoteMail } from "./noteMail.ts";
import { pruneNotes } from "./noteQueries.ts";
import { noteRoutes } from "./noteRoutes.ts";
import { createNoteReminders } from "./remindOfNotes.ts";

/** The notes of users, and the reminders of them. */
export const notesFeature: CreateFeature = (context) => ({
  routes: [noteRoutes(context)],
  mail: createNoteMail(context),
  jobs: [toPart("notes", createNoteReminders(context).start)],
  prune: { pruneNotes },
});
`,
  "web/features/notes/NoteList.tsx": `import { createNotes } from "../../../core/notes/notes.ts";
import { useFeature } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";

export const NoteList = () => {
  const notes = useObservable(useFeature(createNotes).notes$);
  return (
    <ul>
      {notes.map(({ id, text }) => (
        <li key={id}>{text}</li>
      ))}
    </ul>
  );
};
`,
};

/** A page of the feature, and a card of the settings. */
export const screenFiles: Readonly<Record<string, string>> = {
  "web/features/notes/NotesPage.tsx": `import type { PageProps } from "../../navigation/pageProps.ts";
import { usePageHeading } from "../../navigation/usePageHeading.ts";
import { BackLink } from "../../ui/layout/BackLink.tsx";
import { PageHead } from "../../ui/layout/layout.tsx";

export const NotesPage = ({ backTo, onLeave }: PageProps) => (
  <>
    <BackLink href={backTo} onFollow={onLeave} />
    <PageHead title="Notes" titleRef={usePageHeading(0)} />
  </>
);
`,
  "web/features/notes/NoteMailCard.tsx": `import { SettingsCard } from "../../navigation/SettingsCard.tsx";

export const NoteMailCard = () => <SettingsCard text="Mail to notes@ becomes a note." />;
`,
};

/** What the feature changes outside of its own files: lines of the lists of features, tables and migrations. */
export const notesEdits: readonly Edit[] = [
  {
    file: "server/app/features.ts",
    before: "import",
    after: 'import { notesFeature } from "../features/notes/noteFeature.ts";\nimport',
  },
  {
    file: "server/app/features.ts",
    before: "  operatorFeature,\n",
    after: "  operatorFeature,\n  notesFeature,\n",
  },
  {
    file: "server/app/databaseTables.ts",
    before: 'import "../features/notifications/notificationTables.ts";\n',
    after:
      'import "../features/notes/noteTables.ts";\nimport "../features/notifications/notificationTables.ts";\n',
  },
  {
    file: "server/platform/store/migrations/migrations.ts",
    before: "import",
    after: 'import { notes } from "./0002_notes.ts";\nimport',
  },
  {
    file: "server/platform/store/migrations/migrations.ts",
    before: "initial(engine),\n",
    after: 'initial(engine),\n  "0002_notes": notes(),\n',
  },
];

/** The entries of the page and of the card. */
export const screenEdits: readonly Edit[] = [
  {
    file: "web/app/routes/routes.tsx",
    before: "export const pages: readonly Page[] = [",
    after: `export const pages: readonly Page[] = [
  {
    path: ["notes"],
    title: "Notes",
    icon: InboxIcon,
    isInMenu: true,
    chunk: createChunk(
      () => import("../../features/notes/NotesPage.tsx"),
      (module) => module.NotesPage,
    ),
  },`,
  },
  {
    file: "web/app/settings/settingsSections.ts",
    before: '        id: "destinations",\n',
    after: `        id: "note-mail",
        title: "Mailed notes",
        chunk: createChunk(
          () => import("../../features/notes/NoteMailCard.tsx"),
          (module) => module.NoteMailCard,
        ),
      },
      {
        id: "destinations",
`,
  },
];
