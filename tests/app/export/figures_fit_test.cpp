// Every figure on every page: no label is lost, broken or covered.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "app/export/export.h"
#include "core/base/error.h"
#include "core/experiments/registry.h"
#include "core/lab/figures/figures.h"
#include "tests/app/export/page_texts.h"
#include "tests/support/places.h"

TEST_SUITE_BEGIN("release");

namespace emergence {
namespace {

// The least that experiments can do; a figure takes of it what it uses. The interval first: runs must log.
constexpr std::string_view kLeastRuns[] = {
    "log_interval=1",       "num_mrps=2",         "bank_size=16",    "num_tasks=2", "num_gains=2",
    "num_updates=2",        "num_environments=1", "num_steps=2",     "warm_up=1",   "num_iterations=2",
    "num_prompts=500",      "num_mdps=2",         "frames=2",        "loop_mdps=2", "loop_updates=10",
    "windows=50",           "rounds=20",          "num_networks=12", "seeds=2",     "num_chains=2",
    "minibatches_per_mrp=1"};

Settings small_settings(const ExperimentInfo& info, const FigureInfo& figure) {
    const Settings start = figure_settings(info, figure, testing::source_dir() / "assets");
    Settings small = start;
    const auto take = [&](std::string_view least) {
        const std::string field(least.substr(0, least.find('=')));
        const std::string value(least.substr(field.size() + 1));
        if (!small.has(field)) return;
        Settings changed = small;
        try {
            changed.set_from_text(field, value);
            refuse_unused(info, figure, start, changed);
            info.check(changed);
            small = changed;
        } catch (const InputError&) {
            // The figure chooses it itself.
        }
    };
    for (const std::string_view least : kLeastRuns) take(least);
    // Runs with a num_mrps of their own, up to 16000, take their time where they log.
    if (info.name == "td")
        for (const char* least : {"num_mrps=60", "log_interval=60"}) take(least);
    return small;
}

void check_pages(const FigureSpec& figure) {
    for (const std::string width : {"7in", "slide"}) {
        CAPTURE(width);
        PageFormat page;
        set_page_width(width, page);
        const std::string svg = render_figure(figure, FileFormat::svg, page);
        for (const std::string& fault : testing::layout_faults(figure, svg)) FAIL_CHECK(fault);
        if (page.slide) CHECK(testing::texts_of(svg).height <= doctest::Approx(7.5 * 72.0));
    }
}

}  // namespace

TEST_CASE("every figure fits a page and a slide with all its labels") {
    for (const ExperimentInfo& info : experiments())
        for (const FigureInfo& figure : info.figures) {
            CAPTURE(figure.name);
            const MadeFigure made = figure.build(info, small_settings(info, figure), {});
            CHECK_FALSE(made.figure.cells.empty());
            check_pages(made.figure);
        }
}

}  // namespace emergence

TEST_SUITE_END();
