// What an experiment is, as one text each: its settings, metrics, pictures, numbers and ten rows of a small run. A
// change of any of them shows in tests/data/playthroughs, which sh tests/handbook.sh writes anew; read the difference
// there.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "core/files/atomic_write.h"
#include "core/files/text.h"
#include "tests/support/places.h"
#include "tests/support/small_runs.h"

TEST_SUITE_BEGIN("release");

namespace emergence::playthrough_test {
namespace {

// Four digits are the same on every machine.
std::string four_digits(double value) { return std::isnan(value) ? "-" : fmt::format("{:.4g}", value); }

std::string four_digits_each(const std::vector<double>& values) {
    std::vector<std::string> texts;
    for (const double value : values) texts.push_back(four_digits(value));
    return fmt::format("{}", fmt::join(texts, " "));
}

std::string words_of_field(const FieldInfo& field) {
    std::string words =
        fmt::format("{} = {}{}{}", field.name, to_text(field.default_value), field.unit.empty() ? "" : " ", field.unit);
    if (!field.choices.empty())
        words += fmt::format(" of {}", fmt::join(field.choices, ", "));
    else if (field.maximum > field.minimum)
        words += fmt::format(" from {} to {}", four_digits(field.minimum), four_digits(field.maximum));
    return words + fmt::format(" ({}: {}{})", field.group, field.label, field.applies == Applies::live ? ", live" : "");
}

std::string words_of_blocks(const std::vector<Block>& blocks) {
    std::vector<std::string> words;
    for (const Block& block : blocks) words.push_back(fmt::format("{} {}", block.label, block.size));
    return fmt::format("{}", fmt::join(words, ", "));
}

std::string words_of_plot(const PlotSpec& plot) {
    std::string words = fmt::format("plot {}: {} ({} against {})\n", plot.id, plot.title, plot.y.label, plot.x.label);
    for (const Series& series : plot.series)
        words += fmt::format("  {}: {}\n", series.name,
                             series.rows.empty() || series.rows[0].empty() ? "-" : four_digits(series.rows[0].back()));
    return words;
}

std::string words_of_moment(const Snapshot& snapshot) {
    std::string words = fmt::format("headline: {}\n", snapshot.headline);
    for (const SeedStatus& seed : snapshot.seeds)
        words += fmt::format("{} {}: {}{}\n", snapshot.seed_word, seed.seed, seed.emerged ? "emerged" : "not emerged",
                             seed.judged ? ", " + seed.judged->sentence : "");
    for (const Lamp& lamp : snapshot.lamps) words += fmt::format("lamp {}: {}\n", lamp.name, fmt::join(lamp.lit, " "));
    for (const NamedMatrix& matrix : snapshot.matrices)
        words += fmt::format("matrix {}: rows {}; columns {}; {}\n", matrix.name, words_of_blocks(matrix.row_blocks),
                             words_of_blocks(matrix.column_blocks), matrix.target ? matrix.target_name : "no theory");
    for (const Formula& formula : snapshot.formulas) {
        words += fmt::format("formula {}:", formula.name);
        for (const FormulaTerm& term : formula.terms) words += " " + term.text;
        words += "\n";
    }
    for (const PlotSpec& plot : snapshot.plots) words += words_of_plot(plot);
    for (const Scene& scene : snapshot.scenes) words += fmt::format("scene {}: {}\n", scene.id, scene.title);
    for (const Scalar& scalar : snapshot.scalars)
        words +=
            fmt::format("number {} ({}) = {} {}\n", scalar.name, scalar.label, four_digits(scalar.value), scalar.unit);
    for (const auto& [name, array] : snapshot.weights)
        words += fmt::format("weights {}: {}\n", name, fmt::join(array.shape, " x "));
    return words;
}

std::string playthrough(const ExperimentInfo& info) {
    std::string text = fmt::format("{}: {}\n\n{}\n\nSettings\n", info.name, info.title, info.emergence_rule);
    for (const FieldInfo& field : *info.fields) text += words_of_field(field) + "\n";
    const testing::SmallRun& small = testing::small_run(info.name);
    testing::RunOf run(small);
    const std::vector<MetricRow> rows = run.advance_to(small.steps);
    const Study& study = run.study();
    text += "\nMetrics\n";
    for (const MetricInfo& metric : study.metrics()) text += fmt::format("{} ({})\n", metric.name, metric.label);
    text += "\nPlots of metrics\n";
    for (const MetricPlot& plot : study.metric_plots()) {
        text += fmt::format("{}: {}:", plot.id, plot.title);
        for (const MetricPlot::Line& line : plot.metrics) text += fmt::format(" {}", line.metric);
        text += "\n";
    }
    text += fmt::format("\nA run of {} {} with {}\n", small.steps, study.step_unit(), testing::text_of(small));
    constexpr size_t kRows = 10;
    for (size_t i = 0; i < std::min(kRows, rows.size()); ++i)
        text += fmt::format("step {}, {}: {}\n", rows[i].step, rows[i].seed_index, four_digits_each(rows[i].values));
    return text + words_of_moment(run.snapshot());
}

}  // namespace

TEST_CASE("every experiment has its playthrough") {
    const bool write = std::getenv("EMERGENCE_HANDBOOK_WRITE") != nullptr;
    for (const ExperimentInfo& info : experiments()) {
        const std::filesystem::path file = testing::data_file("playthroughs/" + info.name + ".txt");
        const std::string text = playthrough(info);
        const std::string stored = std::filesystem::exists(file) ? read_text(file) : "";
        if (text == stored) continue;
        if (write) {
            write_file(file, text);
            continue;
        }
        size_t line = 1, at = 0;
        while (at < std::min(text.size(), stored.size()) && text[at] == stored[at]) line += text[at++] == '\n' ? 1 : 0;
        FAIL_CHECK(file.filename().string()
                   << " differs from its line " << line << " on. If that is meant: sh tests/handbook.sh");
    }
}

}  // namespace emergence::playthrough_test

TEST_SUITE_END();
