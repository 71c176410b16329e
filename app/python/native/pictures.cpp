// Makes pictures of runs, numbers read off them, and comparisons, and runs commands of the command line.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <atomic>
#include <optional>
#include <sstream>

#include "app/cli/commands.h"
#include "app/cli/grid_figure.h"
#include "app/export/export.h"
#include "app/python/native/lab_run.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/experiments/registry.h"
#include "core/files/folders.h"
#include "core/files/text.h"
#include "core/lab/figures/comparison.h"
#include "core/lab/figures/figures.h"
#include "core/lab/quantity/quantity.h"
#include "core/pictures/figure_spec.h"

namespace emergence::python {
namespace {

using namespace py::literals;

struct Picture {
    FigureSpec spec;

    py::bytes bytes(const std::string& format, const std::string& width, bool caption) const {
        PageFormat page;
        if (!width.empty()) set_page_width(width, page);
        page.caption = caption;
        const FileFormat as = format_of("picture." + format);
        std::string file;
        {
            const WithoutLock released;
            file = render_figure(spec, as, page);
        }
        return py::bytes(file);
    }
};

// Makes everything of which the window has a picture.
struct Pictures {
    std::shared_ptr<const Snapshot> moment;
    ShownPanels shown;
    std::vector<FigureChoice> choices;
};

Pictures pictures_of(LabRun& run) {
    Pictures pictures{run.snapshot(true), {}, {}};
    pictures.shown = panels_of(run.study(), *pictures.moment, run.history());
    pictures.choices = figure_choices(run.info(), pictures.shown);
    return pictures;
}

py::list picture_names(LabRun& run) {
    const Pictures pictures = pictures_of(run);
    py::list names;
    for (const FigureChoice& choice : pictures.choices)
        if (choice.kind != FigureChoice::Kind::grid) names.append(py::make_tuple(choice.name, choice.title));
    return names;
}

Picture picture(LabRun& run, const std::string& name) {
    const Pictures pictures = pictures_of(run);
    std::vector<std::string> names;
    for (const FigureChoice& choice : pictures.choices) {
        names.push_back(choice.name);
        if (choice.name != name) continue;
        if (choice.kind == FigureChoice::Kind::grid)
            throw InputError(
                fmt::format("figure {}: is drawn from its own runs. Use emergence.figure(\"{}\")", name, name));
        return {build_figure(choice, run.info(), *pictures.moment, run.history(), pictures.shown)};
    }
    throw InputError(unknown_name("picture", name, names, "run.pictures names all"));
}

// Draws a figure of many runs, which it trains.
Picture trained_figure(const std::string& experiment, const std::string& name, const py::dict& fields, int threads) {
    const ExperimentInfo& info = find_experiment(experiment);
    Settings settings(info.fields);
    set_fields(fields, settings);
    for (const FigureInfo& figure : info.figures)
        if (figure.name == name && figure.check && py::len(fields) > 0) figure.check(info, settings);
    MadeFigure made;
    interruptible([&](const std::atomic<bool>& stop) {
        for (const FigureInfo& figure : info.figures)
            if (figure.name == name)
                made = figure.build(info, settings, {.threads = threads, .name = name, .stop = &stop});
    });
    if (!made.failures.empty())
        throw std::runtime_error(
            fmt::format("figure {}: {}: {}", name, made.failures[0].label, made.failures[0].reason));
    return {std::move(made.figure)};
}

py::dict curves(LabRun& run) {
    const std::shared_ptr<const Snapshot> moment = run.snapshot(true);
    py::dict plots;
    for (const PlotSpec& plot : moment->plots) {
        py::dict all;
        for (const Series& series : plot.series) {
            if (series.hidden) continue;
            std::vector<double> values;
            for (const auto& row : series.rows) values.insert(values.end(), row.begin(), row.end());
            all[py::str(series.name)] = py::make_tuple(
                view_of(std::vector<double>(series.x), {series.x.size()}),
                view_of(std::move(values), {series.rows.size(), series.rows.empty() ? 0 : series.rows[0].size()}));
        }
        plots[py::str(plot.id)] =
            py::dict("title"_a = plot.title, "x"_a = plot.x.label, "y"_a = plot.y.label, "series"_a = all);
    }
    return plots;
}

py::dict scalars(LabRun& run) {
    py::dict all;
    for (const Scalar& scalar : run.snapshot(true)->scalars) all[py::str(scalar.name)] = scalar.value;
    return all;
}

py::list matrices(LabRun& run) {
    py::list all;
    for (const NamedMatrix& matrix : run.snapshot(true)->matrices) {
        const auto blocks = [](const std::vector<Block>& of) {
            py::list list;
            for (const Block& block : of) list.append(py::make_tuple(block.label, block.size));
            return list;
        };
        py::list seeds;
        for (const Table& seed : matrix.seeds) seeds.append(view_of(seed));
        all.append(py::dict("name"_a = matrix.name, "help"_a = matrix.help, "rows"_a = blocks(matrix.row_blocks),
                            "columns"_a = blocks(matrix.column_blocks), "seeds"_a = seeds,
                            "signs"_a = py::cast(matrix.signs),
                            "theory"_a = matrix.target ? py::object(view_of(*matrix.target)) : py::none()));
    }
    return all;
}

// Returns one number for each seed, or a measurement (value, low, high, n) of the run.
py::object quantity(LabRun& run, const std::string& text) {
    const Quantity asked = parse_quantity(text);
    const std::shared_ptr<const Snapshot> moment = run.snapshot(true);
    const RunView view(*moment, run.history());
    if (is_of_seeds(asked)) {
        check_quantity(asked, {view});
        std::vector<double> values;
        for (const SeedValue& seed : emergence::values(view, asked)) values.push_back(seed.value);
        const size_t count = values.size();
        return view_of(std::move(values), {count});
    }
    const Measurement found = measured(view, asked);
    const auto end = [&](double x) { return found.interval ? py::object(py::float_(x)) : py::object(py::none()); };
    return py::make_tuple(found.value, end(found.interval.value_or(Range()).low),
                          end(found.interval.value_or(Range()).high), found.n);
}

py::list quantities(LabRun& run) {
    const std::shared_ptr<const Snapshot> moment = run.snapshot(true);
    py::list all;
    for (const AvailableQuantity& one : available_quantities(RunView(*moment, run.history())))
        all.append(py::make_tuple(one.text, one.help));
    return all;
}

py::tuple compared(LabRun& a, LabRun& b, const std::string& name_a, const std::string& name_b,
                   const std::string& score) {
    const std::vector<FinishedRun> runs = {{name_a, *a.snapshot(true), a.history()},
                                           {name_b, *b.snapshot(true), b.history()}};
    std::vector<ScoreDifference> differences;
    std::vector<std::string> settings;
    FigureSpec figure;
    {
        const WithoutLock released;
        differences = differences_of(runs[0], runs[1], score);
        settings = differing_settings(runs);
        if (!differences.empty() && !runs[0].history.table().empty())
            figure = comparison_figure(runs, score.empty() ? runs[0].history.table().front().name : score);
    }
    if (differences.empty()) throw InputError("compare: these runs " + why_not_compared(runs[0], runs[1]));
    py::list rows;
    for (const ScoreDifference& one : differences)
        rows.append(py::dict("score"_a = one.score, "paired"_a = one.paired, "n_a"_a = one.n_a, "n_b"_a = one.n_b,
                             "mean_a"_a = one.mean_a, "mean_b"_a = one.mean_b, "difference"_a = one.difference,
                             "low"_a = one.low, "high"_a = one.high, "p"_a = one.p, "dropped"_a = one.dropped));
    return py::make_tuple(rows, settings, Picture{std::move(figure)});
}

// Does what `emergence-cli ARGUMENTS` does. jobs are those jobs of its grid that this call does. With an empty list it
// does none, and the answer says which are missing. With None it does all. stopped is a function that says whether to
// stop, or None.
py::dict command(const std::vector<std::string>& arguments, const std::optional<std::vector<std::string>>& jobs,
                 const py::object& stopped) {
    std::ostringstream out, err;
    GridPart part;
    int code = cli::kFailure;
    const auto asked = [&] { return !stopped.is_none() && stopped().cast<bool>(); };
    interruptible(
        [&](const std::atomic<bool>& stop) {
            cli::Environment environment{{}, experiments(), out, err};
            environment.assets = assets_folder;
            environment.stop = &stop;
            if (jobs) {
                part.labels.insert(jobs->begin(), jobs->end());
                environment.grid_part = &part;
            }
            code = cli::run_command_line(arguments, environment);
        },
        asked);
    return py::dict("code"_a = code, "out"_a = out.str(), "err"_a = err.str(), "missing"_a = part.missing,
                    "seconds"_a = part.seconds);
}

// Returns the figure whose runs the folder holds.
Picture figure_in(const std::string& folder, int threads) {
    std::ostringstream said;
    FigureSpec figure;
    interruptible([&](const std::atomic<bool>& stop) {
        cli::Environment environment{{}, experiments(), said, said};
        environment.assets = assets_folder;
        environment.stop = &stop;
        environment.asked.threads = threads;
        const auto draw = [&](const cli::Environment& with, const std::string& = "") {
            const auto job = cli::grid_figure_in(folder, with);
            if (!job) throw InputError(folder + ": holds no figure of many runs");
            figure = cli::saved_figure(*job, with).figure;
            return 0;
        };
        if (const auto own = cli::own_figure_in(folder); !own.empty())
            cli::with_own_figure(own, {}, environment, draw);
        else
            draw(environment);
    });
    return {std::move(figure)};
}

}  // namespace

void add_pictures(py::module_& module) {
    py::class_<Picture>(module, "Picture")
        .def("bytes", &Picture::bytes)
        .def_property_readonly("name", [](const Picture& picture) { return picture.spec.name; })
        .def_property_readonly("title", [](const Picture& picture) { return picture.spec.title; })
        .def_property_readonly("caption", [](const Picture& picture) { return picture.spec.caption; });
    module.def("picture_names", picture_names);
    module.def("picture", picture);
    module.def("trained_figure", trained_figure);
    module.def("command", command);
    module.def("figure_in", figure_in);
    module.def("curves", curves);
    module.def("scalars", scalars);
    module.def("matrices", matrices);
    module.def("quantity", quantity);
    module.def("quantities", quantities);
    module.def("compared", compared);
}

}  // namespace emergence::python
