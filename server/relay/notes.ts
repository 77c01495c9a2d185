/** Values that a part of a feature leaves with the decision about a mail, for its own records. */
export type Notes = ReadonlyMap<object, unknown>;

/** The key of one value in the notes of a decision. */
export class Note<Value> {
  /** Returns the notes with a value. */
  of(value: Value): Notes {
    return new Map([[this, value]]);
  }

  /** Returns the value of a decision; undefined where nothing has left one. */
  in({ notes }: { readonly notes: Notes }): Value | undefined {
    return notes.get(this) as Value | undefined;
  }
}
