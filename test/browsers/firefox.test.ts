import { describeJourneys } from "./journeys.ts";
import { firefox } from "./support/firefox.ts";

describeJourneys(firefox);
