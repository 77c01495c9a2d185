import { type SchedulerLike, Subscription } from "rxjs";
import type { FollowsTopics, Topic } from "../realtime/clientMessages.ts";

/** Returns the one instance of a feature: creates and starts it on the first call, from its `createX` function. */
export type GetFeature<Deps> = <A extends object>(create: (deps: Deps) => A) => A;

/** A feature, and the function that keeps what it shows up to date until the returned function is called. */
export interface ShownFeature<A> {
  readonly feature: A;
  readonly follow: () => () => void;
}

/** The features of single screens. */
export interface Features<Deps> {
  /** Returns a feature, which is kept up to date until the end of the session. */
  readonly get: GetFeature<Deps>;
  /** Returns a feature for a screen, which keeps it up to date while it is shown. */
  readonly getShown: <A extends object>(create: (deps: Deps) => A) => ShownFeature<A>;
}

interface Startable {
  readonly start: () => Subscription;
}

const isStartable = (feature: object): feature is Startable => "start" in feature;
const isFollowing = (feature: object): feature is FollowsTopics => "topics" in feature;

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

/**
 * The time for which changes are still received after the last screen of a feature is left, so that a glance elsewhere costs
 * nothing.
 */
const letGoAfterMs = 2_000;

interface FeaturesDeps<Deps> {
  readonly deps: Deps;
  readonly running: Subscription;
  readonly followTopic: (topic: Topic) => () => void;
  readonly scheduler: SchedulerLike;
}

/** Creates the features of a session. */
export const createFeatures = <Deps>(options: FeaturesDeps<Deps>): Features<Deps> => {
  const { deps, running, followTopic, scheduler } = options;
  const getFeature = createGetFeature(deps, running);
  const followFunctions = new WeakMap<object, () => () => void>();
  const keptUpToDate = new WeakSet<object>();

  const followTopics = (feature: object): Subscription => {
    const following = new Subscription();
    if (isFollowing(feature)) for (const topic of feature.topics) following.add(followTopic(topic));
    return following;
  };
  const createFollow = (feature: object) => (): (() => void) => {
    const following = followTopics(feature);
    return () => {
      scheduler.schedule(() => following.unsubscribe(), letGoAfterMs);
    };
  };
  return {
    get: (create) => {
      const feature = getFeature(create);
      if (!keptUpToDate.has(feature)) followTopics(feature);
      keptUpToDate.add(feature);
      return feature;
    },
    getShown: (create) => {
      const feature = getFeature(create);
      const follow = followFunctions.get(feature) ?? createFollow(feature);
      followFunctions.set(feature, follow);
      return { feature, follow };
    },
  };
};
