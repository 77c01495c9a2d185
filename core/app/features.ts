import type { Subscription } from "rxjs";

/** Returns the one instance of a feature: creates and starts it on the first call, from its `createX` function. */
export type GetFeature<Deps> = <A extends object>(create: (deps: Deps) => A) => A;

interface Startable {
  readonly start: () => Subscription;
}

const isStartable = (feature: object): feature is Startable => "start" in feature;

/** Creates the features that single screens need. They are stopped when `running` is unsubscribed. */
export const createGetFeature = <Deps>(deps: Deps, running: Subscription): GetFeature<Deps> => {
  const instances = new Map<unknown, object>();
  return <A extends object>(create: (deps: Deps) => A): A => {
    const existing = instances.get(create);
    if (existing !== undefined) return existing as A;
    const feature = create(deps);
    instances.set(create, feature);
    if (isStartable(feature)) running.add(feature.start());
    return feature;
  };
};
