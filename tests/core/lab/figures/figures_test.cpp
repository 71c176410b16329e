#include "core/lab/figures/figures.h"

#include <doctest/doctest.h>

#include "core/base/version.h"
#include "tests/support/scratch.h"
#include "tests/support/small_runs.h"
#include "tests/support/toy_study.h"

namespace emergence {
namespace {

struct Toy {
    explicit Toy(const std::vector<std::string>& changes)
        : run(testing::toy_info(), testing::toy_settings(changes), 1) {}
    testing::RunOf run;
    MetricHistory history = run.history_to(30);
    Snapshot snapshot = run.snapshot();
};

ShownPanels panels(int plots, int heatmaps, int scenes = 0) {
    ShownPanels shown;
    for (int i = 0; i < plots; ++i) {
        shown.plots.emplace_back();
        shown.plots.back().id = "plot " + std::to_string(i);
    }
    for (int i = 0; i < heatmaps; ++i) {
        shown.heatmaps.emplace_back();
        shown.heatmaps.back().id = i % 2 == 0 ? "P0 learned" : "P0 theory";
    }
    for (int i = 0; i < scenes; ++i) shown.scenes.emplace_back().drawing.id = "world";
    return shown;
}

std::vector<FigureChoice> choices_of(const ShownPanels& shown) { return figure_choices(testing::toy_info(), shown); }

TEST_CASE("all that can be exported, each under a name of its own") {
    std::vector<std::string> names;
    for (const FigureChoice& choice : choices_of(panels(2, 4))) names.push_back(choice.name);
    CHECK(names == std::vector<std::string>{"toy-window", "toy-matrices", "toy-curves", "toy-plot-0", "toy-plot-1",
                                            "toy-P0-learned", "toy-P0-theory", "toy-P0-learned-2", "toy-P0-theory-2"});
    CHECK(choices_of(panels(1, 0)).size() == 1);
    CHECK(choices_of({}).empty());
}

TEST_CASE("pages grow with the legends of overlaid runs") {
    const Toy toy({});
    ShownPanels shown = panels(3, 4);
    const auto height_of = [&](FigureChoice::Kind kind) {
        for (const FigureChoice& choice : choices_of(shown))
            if (choice.kind == kind)
                return build_figure(choice, testing::toy_info(), toy.snapshot, toy.history, shown).height_inches;
        return 0.0;
    };
    const auto add_lines = [&](int until) {
        for (int i = static_cast<int>(shown.plots[1].series.size()); i < until; ++i)
            shown.plots[1].series.push_back({std::to_string(i), {0, 1}, {{0, 1}}, i});
    };
    add_lines(6);
    const double window = height_of(FigureChoice::Kind::window), curves = height_of(FigureChoice::Kind::curves);
    add_lines(9);
    CHECK(height_of(FigureChoice::Kind::window) > window + 1.0);
    CHECK(height_of(FigureChoice::Kind::curves) > curves + 1.0);
}

TEST_CASE("every choice becomes a figure with all of its panels, none on another") {
    const Toy toy({});
    struct Panels {
        int plots, heatmaps, scenes;
    };
    for (const auto& [plots, heatmaps, scenes] : {Panels{1, 1, 0}, {2, 2, 1}, {4, 4, 0}, {5, 12, 2}, {3, 5, 1}}) {
        const ShownPanels shown = panels(plots, heatmaps, scenes);
        for (const FigureChoice& choice : choices_of(shown)) {
            const FigureSpec figure = build_figure(choice, testing::toy_info(), toy.snapshot, toy.history, shown);
            CAPTURE(choice.name);
            using Kind = FigureChoice::Kind;
            const int wanted = choice.kind == Kind::window     ? plots + heatmaps + scenes
                               : choice.kind == Kind::matrices ? heatmaps
                               : choice.kind == Kind::curves   ? plots
                                                               : 1;
            CHECK(figure.cells.size() == static_cast<size_t>(wanted));
            CHECK(figure.name == choice.name);
            for (const FigureCell& a : figure.cells)
                for (const FigureCell& b : figure.cells)
                    CHECK((&a == &b || a.column != b.column || a.row + a.row_span <= b.row ||
                           b.row + b.row_span <= a.row));
        }
    }
}

TEST_CASE("the stage alone is a figure: what stands on it, with theory's matrix beside what was learned") {
    const Toy toy({});
    ShownPanels shown = panels(3, 2);
    shown.heatmaps[0].id = "A learned";
    shown.heatmaps[1].id = "A theory";
    shown.stage = {"A", shown.plots[1].id};
    const std::vector<FigureChoice> choices = choices_of(shown);
    const auto stage = std::find_if(choices.begin(), choices.end(), [](const FigureChoice& choice) {
        return choice.kind == FigureChoice::Kind::stage;
    });
    REQUIRE(stage != choices.end());
    const FigureSpec figure = build_figure(*stage, testing::toy_info(), toy.snapshot, toy.history, shown);
    CHECK(figure.cells.size() == 3);
    CHECK(figure.title == testing::toy_info().title + ": 4 of 4 emerged");  // a class reads it on the slide
}

TEST_CASE("the caption says what differs from the defaults, seeds, step, runs and version") {
    const Toy toy({"size=2", "seed=5", "num_seeds=3", "diverge_seed=1", "diverge_step=12"});
    CHECK(provenance(toy.snapshot) ==
          "Settings other than the defaults: size = 2, num_seeds = 3, diverge_seed = 1, diverge_step = 12. "
          "Seeds 5..7: 3 runs looked at, 3 of 3 emerged, 1 stopped and left out of means. Experiment toy, 30 steps, "
          "Emergence " +
              version() + ".");
    const Toy plain({});
    CHECK(provenance(plain.snapshot).find("All settings are the defaults. Seeds 0..3: 4 runs") == 0);
    const ShownPanels shown = panels(1, 0);
    const FigureSpec figure =
        build_figure(choices_of(shown)[0], testing::toy_info(), plain.snapshot, plain.history, shown);
    CHECK(figure.caption == provenance(plain.snapshot));
    CHECK(figure.seeds == std::vector<uint64_t>{0, 1, 2, 3});
    CHECK(testing::holds(figure.config, "figure = \"toy-plot-0\"\nstep = 30\n"));
}

TEST_CASE("other runs in a picture are named in its caption and its file, with the settings that differ") {
    const Toy toy({}), other({"size=2", "seed=5"});
    ShownPanels shown = panels(1, 0);
    shown.others = {{"Overlaid run", "kept", std::make_shared<const Snapshot>(other.snapshot)},
                    {"Run B", "", std::make_shared<const Snapshot>(toy.snapshot)}};
    const FigureSpec figure = build_figure(choices_of(shown)[0], testing::toy_info(), toy.snapshot, toy.history, shown);
    CHECK(testing::holds(figure.caption, " Overlaid run kept: size = 2. Seeds 5..8, 30 steps."));
    CHECK(figure.caption.ends_with(" Run B: the same settings. Seeds 0..3, 30 steps."));
    CHECK(testing::holds(figure.config, "Overlaid run kept: size = 2."));
}

TEST_CASE("file names are plain") {
    CHECK(file_stem("P₀ learned") == "P-learned");
    CHECK(file_stem("../../etc/passwd") == "etc-passwd");
    CHECK(file_stem("a.b_c-1") == "a.b_c-1");
    CHECK(file_stem("φ") == "figure");
}

}  // namespace
TEST_CASE("a run in words: its state first, then what stands on the stage") {
    Toy toy({});
    Snapshot& snapshot = toy.snapshot;
    snapshot.status.target_step = 100;
    snapshot.emergence_rule = "It is found.";
    snapshot.seeds[1].failed = true;
    snapshot.seeds[1].reason = "not finite";
    snapshot.seeds[1].emerged = false;
    snapshot.seeds[0].emerged = true;
    snapshot.seeds[0].emerged_at = 20;
    snapshot.lamps = {{"found", "found +", "", {true, false, true, true}}};
    const ShownPanels shown = panels_of(toy.run.study(), snapshot, toy.history);
    const std::string last = shown.plots.back().id;
    const auto said = describe_run(testing::toy_info(), snapshot, shown, {last});
    CHECK(said[0].title == testing::toy_info().title);
    const std::string state = text_of({said[0]});
    CHECK(testing::holds(state, "30 of 100 "));
    CHECK(testing::holds(state, " of 4 emerged."));
    CHECK(testing::holds(state, "seed 1 stopped: not finite."));
    CHECK(testing::holds(state, "The rule: It is found."));
    CHECK(testing::holds(state, "Signs: found + in 3 of 4."));
    CHECK(said[1].id == last);
    const auto unordered = describe_run(testing::toy_info(), snapshot, shown);
    CHECK(unordered.size() == said.size());
    CHECK(unordered[1].id == shown.heatmaps.front().id);
}

}  // namespace emergence
