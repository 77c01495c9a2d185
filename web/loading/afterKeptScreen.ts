// The kept screen is painted before the scripts of the app run, which take longer than that. Imported first.
import "./keptScreen.ts";

await window.keptScreen;
