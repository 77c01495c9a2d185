import * as t from "io-ts";

/** A codec that is made of another one: it decodes more or less than `declared`, and has its form. */
export class DerivedType<A, O> extends t.Type<A, O, unknown> {
  readonly declared: t.Type<A, O, unknown>;

  constructor(declared: t.Type<A, O, unknown>, validate: t.Validate<unknown, A>, is: t.Is<A> = declared.is) {
    super(declared.name, is, validate, declared.encode);
    this.declared = declared;
  }
}
