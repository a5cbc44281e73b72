/** The main job: replays a request trace over a registry and rank processes, checks every page, draws a report. */
// HdrHistogram publishes a stable Automatic-Module-Name but no descriptor; none of its types is in an exported
// signature.
@SuppressWarnings("requires-automatic")
module io.weft.replay {
    requires transitive static org.jspecify;
    requires transitive tools.jackson.databind;
    requires HdrHistogram;

    exports io.weft.replay.model;
    exports io.weft.replay.rank;
    exports io.weft.replay.report;
    exports io.weft.replay.run;
    exports io.weft.replay.trace;
}
