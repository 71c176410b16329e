// Exported files give back the state that they show, and whatever is done to their bytes, they are read or
// refused.
#include <doctest/doctest.h>

#include "app/export/export.h"
#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/base/version.h"
#include "core/files/atomic_write.h"
#include "core/lab/figures/figures.h"
#include "core/lab/jobs/thread_pool.h"
#include "core/lab/runs/run.h"
#include "core/settings/embedded_settings.h"
#include "tests/support/scratch.h"
#include "tests/support/small_runs.h"
#include "tests/support/toy_study.h"

namespace emergence {
namespace {

FigureSpec toy_figure(const Settings& settings) {
    testing::RunOf run(testing::toy_info(), settings, 1);
    MetricHistory history = run.history_to(20);
    const Snapshot snapshot = run.snapshot();
    ShownPanels shown;
    for (const NamedMatrix& matrix : snapshot.matrices) shown.heatmaps.push_back(heatmap_of(snapshot, matrix, {}));
    for (const MetricPlot& plot : run.study().metric_plots()) shown.plots.push_back(history.plot(plot, {}, 20));
    return build_figure(figure_choices(testing::toy_info(), shown).front(), testing::toy_info(), snapshot, history,
                        shown);
}

constexpr FileFormat kCarriers[] = {FileFormat::pdf, FileFormat::svg, FileFormat::png, FileFormat::npz};

TEST_CASE("every file but the CSV reopens to the experiment, all settings and the step") {
    const testing::Scratch scratch;
    const Settings settings = testing::toy_settings({"size=2", "learning_rate=0.031", "seed=7", "num_seeds=2"});
    const FigureSpec figure = toy_figure(settings);
    for (const FileFormat format : kCarriers) {
        // Under any name: what a file is, its bytes say.
        const auto path = scratch / ("figure." + file_extension(format) + ".txt");
        DrawnFigure(figure).write(path, format);
        const SettingsFile file = read_config_of(path);
        CHECK(file.experiment == "toy");
        CHECK(file.version == version());
        CHECK(file.figure == figure.name);
        CHECK(file.step == 20);
        CHECK(file.entries.size() == settings.fields().size());
        Settings again = testing::toy_settings();
        apply(file, again);
        CHECK(again == settings);
    }
}

// Reads or refuses with a sentence; anything else ends the test. True where it was read.
bool survives(const std::string& bytes) {
    try {
        config_in(as_bytes(bytes), "f");
        return true;
    } catch (const InputError& error) {
        CHECK(std::string(error.what()).starts_with("f:"));
        return false;
    }
}

TEST_CASE("files that are cut anywhere or have bytes flipped are read or refused") {
    FigureSpec figure = toy_figure(testing::toy_settings({"size=1", "num_seeds=1"}));
    figure.cells.clear();  // short files, so that every length can be tried
    figure.width_inches = figure.height_inches = 0.5;
    figure.title = figure.caption = "";
    for (const FileFormat format : kCarriers) {
        const std::string whole = render_figure(figure, format);
        CHECK(survives(whole));
        CHECK_FALSE(survives(whole.substr(0, whole.size() / 4)));
        const size_t stride = std::max<size_t>(1, whole.size() / 4000);
        for (size_t length = 0; length < whole.size(); length += stride) survives(whole.substr(0, length));
        for (size_t length = whole.size() - 200; length < whole.size(); ++length) survives(whole.substr(0, length));
        Stream stream(static_cast<uint64_t>(format), Purpose::initial_weights);
        for (int i = 0; i < 3000; ++i) {
            std::string hurt = whole;
            const int flips = 1 + i % 4;
            for (int j = 0; j < flips; ++j)
                hurt[static_cast<size_t>(stream.uniform() * static_cast<double>(hurt.size()))] =
                    static_cast<char>(static_cast<int>(stream.uniform() * 256.0));
            survives(hurt);
        }
    }
}

}  // namespace
}  // namespace emergence
