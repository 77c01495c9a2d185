import { describeJourneys } from "./journeys.ts";
import { webkit } from "./support/webkit.ts";

describeJourneys(webkit);
