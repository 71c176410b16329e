// What a snapshot of any experiment tells can be read without knowing the experiment, and so can the files of its run.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/experiments/registry.h"
#include "core/files/array_files.h"
#include "core/files/folders.h"
#include "core/lab/store/checkpoint.h"
#include "core/settings/embedded_settings.h"
#include "core/settings/fields.h"
#include "core/settings/toml.h"
#include "tests/support/places.h"
#include "tests/support/scratch.h"
#include "tests/support/small_runs.h"
#include "tests/support/snapshot_text.h"

using namespace emergence;

TEST_SUITE_BEGIN("release");

namespace emergence::self_description_test {
namespace {

using namespace testing;

// A run at its last small step, with its history.
struct LoggedRun {
    testing::RunOf run;
    MetricHistory history;

    explicit LoggedRun(const SmallRun& small) : run(small, 1), history(run.history_to(small.steps)) {}
};

int size_of(const std::vector<Block>& blocks) {
    int size = 0;
    for (const Block& block : blocks) size += block.size;
    return size;
}

// Every name is there, and none twice.
template <class Things, class Name>
void check_names(const Things& things, Name&& name_of) {
    std::set<std::string> names;
    for (const auto& thing : things) {
        const std::string name = name_of(thing);
        CHECK_FALSE(name.empty());
        CHECK_MESSAGE(names.insert(name).second, name);
    }
}

void check_matrix(const NamedMatrix& matrix, size_t seeds) {
    CAPTURE(matrix.name);
    CHECK_FALSE(matrix.help.empty());
    CHECK(matrix.seeds.size() == seeds);
    const auto fits = [&](const Table& table) {
        return table.rows == size_of(matrix.row_blocks) && table.columns == size_of(matrix.column_blocks) &&
               table.values.size() == static_cast<size_t>(table.rows) * static_cast<size_t>(table.columns);
    };
    for (const Table& table : matrix.seeds) CHECK(fits(table));
    CHECK((matrix.signs.empty() || matrix.signs.size() == seeds));
    for (const double sign : matrix.signs) CHECK(std::abs(sign) == 1.0);
    CHECK((matrix.initial_products.values.empty() || matrix.initial_products.rows == static_cast<int>(seeds)));
    CHECK(matrix.target.has_value() == !matrix.target_name.empty());
    if (matrix.target) {
        CHECK(fits(*matrix.target));
        double largest = 0;
        for (const double entry : matrix.target->values) largest = std::max(largest, std::abs(entry));
        CHECK(largest == doctest::Approx(1.0));
    }
    for (const BlockMeaning& meaning : matrix.meanings) {
        CHECK(meaning.row_block < static_cast<int>(matrix.row_blocks.size()));
        CHECK(meaning.column_block < static_cast<int>(matrix.column_blocks.size()));
        CHECK_FALSE((meaning.text.empty() && meaning.brief.empty()));
    }
    for (const CellMarks& marks : matrix.marks)
        for (const CellMarks::Cell& cell : marks.cells) {
            CHECK(cell.row < size_of(matrix.row_blocks));
            CHECK(cell.column < size_of(matrix.column_blocks));
        }
}

void check_plot(const PlotSpec& plot) {
    CAPTURE(plot.id);
    CHECK_FALSE(plot.id.empty());
    CHECK_FALSE(plot.title.empty());
    CHECK_FALSE(plot.x.label.empty());
    CHECK_FALSE(plot.note.empty());
    for (const Series& series : plot.series) {
        CAPTURE(series.name);
        for (const auto& row : series.rows) CHECK(row.size() == series.x.size());
        if (series.points) CHECK(series.rows.size() == 1);
    }
}

void check_formulas(const Snapshot& snapshot) {
    for (const Formula& formula : snapshot.formulas)
        for (const FormulaTerm& term : formula.terms)
            for (const BlockReference& block : term.blocks) {
                INFO(term.text, ", ", block.matrix);
                const NamedMatrix* matrix = find_matrix(snapshot, block.matrix);
                REQUIRE(matrix != nullptr);
                CHECK(block.row_block < static_cast<int>(matrix->row_blocks.size()));
                CHECK(block.column_block < static_cast<int>(matrix->column_blocks.size()));
            }
}

}  // namespace

TEST_CASE("a snapshot describes itself") {
    for (const SmallRun& small : testing::small_runs()) {
        INFO(small.experiment, ", ", testing::text_of(small));
        const LoggedRun trained(small);
        const Snapshot snapshot = trained.run.snapshot();
        const ExperimentInfo& info = find_experiment(small.experiment);
        CHECK(snapshot.experiment == info.name);
        CHECK(snapshot.settings == settings_of(small));
        CHECK(snapshot.step == small.steps);
        CHECK(snapshot.step_unit == trained.run.study().step_unit());
        CHECK((!info.emergence_rule.empty() || snapshot.emergence_rule.empty()));
        const size_t seeds = snapshot.seeds.size();
        const bool has_seeds = snapshot.settings.has("seeds");
        REQUIRE(seeds == (has_seeds ? 2 : 1));
        for (size_t k = 0; has_seeds && k < seeds; ++k)
            CHECK(snapshot.seeds[k].seed ==
                  static_cast<uint64_t>(snapshot.settings.integer("seed")) + static_cast<uint64_t>(k));
        check_names(snapshot.matrices, [](const NamedMatrix& matrix) { return matrix.name; });
        check_names(snapshot.plots, [](const PlotSpec& plot) { return plot.id; });
        check_names(snapshot.scalars, [](const Scalar& scalar) { return scalar.name; });
        for (const NamedMatrix& matrix : snapshot.matrices) check_matrix(matrix, seeds);
        for (const PlotSpec& plot : snapshot.plots) check_plot(plot);
        for (const Scalar& scalar : snapshot.scalars) {
            CAPTURE(scalar.name);
            CHECK_FALSE(scalar.label.empty());
            CHECK_FALSE(scalar.help.empty());
        }
        for (const Lamp& lamp : snapshot.lamps) CHECK(lamp.lit.size() == seeds);
        for (const Scene& scene : snapshot.scenes) CHECK_FALSE(scene.moments->empty());
        check_formulas(snapshot);
        for (const auto& [name, array] : snapshot.weights) {
            CAPTURE(name);
            CHECK(element_count(array.shape) == as_doubles(array).size());
        }
    }
}

TEST_CASE("a row has a value for each metric, and every plotted metric is logged") {
    for (const SmallRun& small : testing::small_runs()) {
        INFO(small.experiment, ", ", testing::text_of(small));
        const LoggedRun trained(small);
        const Study& study = trained.run.study();
        check_names(study.metrics(), [](const MetricInfo& metric) { return metric.name; });
        for (const MetricInfo& metric : study.metrics()) CHECK_FALSE(metric.label.empty());
        const auto rows = testing::RunOf(small).advance_to(small.steps);
        for (const MetricRow& row : rows) CHECK(row.values.size() == study.metrics().size());
        const std::vector<double>&one = rows.at(rows.size() - 2).values, &other = rows.back().values;
        bool seeds_differ = false;
        for (size_t m = 0; m < one.size(); ++m) seeds_differ = seeds_differ || std::abs(one[m] - other[m]) > 0;
        CHECK(seeds_differ);
        CHECK(trained.history.steps().back() == static_cast<double>(small.steps));
        // Logged at every interval: the history ends in the run's last step.
        for (const MetricPlot& plot : study.metric_plots()) {
            CAPTURE(plot.id);
            CHECK_FALSE(plot.note.empty());
            const PlotSpec drawn = trained.history.plot(plot, {}, small.steps);
            CHECK(drawn.series.size() >= plot.metrics.size());
            for (const Series& series : drawn.series) CHECK_FALSE(series.name.empty());
        }
    }
}

TEST_CASE("files of a run say what made them, and a run that is made of its checkpoint goes on as it would have") {
    const testing::Scratch scratch;
    for (const SmallRun& small : testing::small_runs()) {
        INFO(small.experiment, ", ", testing::text_of(small));
        const LoggedRun trained(small);
        write_npz(scratch / "weights.npz", weights_file(trained.run.snapshot()));
        const SettingsFile weights = read_config_of(scratch / "weights.npz");
        write_checkpoint(scratch.path(), state_of(small.experiment, trained.run, 0), trained.history);
        const Checkpoint checkpoint = find_checkpoint(scratch.path()).checkpoint;
        for (const SettingsFile& file : {weights, checkpoint.settings}) {
            CHECK(file.experiment == small.experiment);
            CHECK(file.step == small.steps);
            Settings settings(find_experiment(small.experiment).fields);
            apply(file, settings);
            CHECK(settings == settings_of(small));
        }
        for (const auto& [name, array] : trained.run.snapshot().weights) {
            CAPTURE(name);
            CHECK(read_npz(scratch / "weights.npz").at(name) == array);
        }
        testing::RunOf resumed(small);
        MetricHistory history(resumed.study().metrics(), resumed.num_seeds());
        restore(checkpoint, resumed, history);
        CHECK(resumed.save() == trained.run.save());
        CHECK(history.steps() == trained.history.steps());
    }
}

}  // namespace emergence::self_description_test

TEST_SUITE_END();

// ---- What the experiments' fields say of when they act, and that no preset sets something in vain

TEST_CASE("no preset sets what has no effect in it") {
    const std::filesystem::path assets = testing::source_dir() / "assets";
    for (const std::string& name : preset_names(assets)) {
        CAPTURE(name);
        const SettingsFile file = read_settings(preset_path(assets, name));
        Settings settings(find_experiment(file.experiment).fields);
        apply(file, settings);
        for (const std::string& notice : idle_notices(settings)) FAIL_CHECK(notice);
    }
}
