#include "core/lab/figures/figures.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "core/base/text.h"
#include "core/base/version.h"
#include "core/lab/views/run_views.h"
#include "core/pictures/axis.h"

namespace emergence {
namespace {

using Kind = FigureChoice::Kind;

// Sizes on paper, in inches: a column is about 3.5 wide, a page 7.
constexpr double kPlotWidth = 5.0, kPlotHeight = 3.4;
constexpr double kMatrixSide = 3.6, kMatrixHeight = 3.7;
constexpr double kDrawingWidth = 5.2, kDrawingHeight = 3.8;
constexpr double kWidePlotHeight = 4.6;  // on a wide page, which has larger type
constexpr double kTitleHeight = 0.4;

// Columns come in pairs, so that learned and theory's matrix are side by side.
int matrix_columns(size_t count) {
    if (count <= 3) return static_cast<int>(std::max<size_t>(1, count));
    return count <= 6 && count % 2 == 0 ? 2 : 4;
}

int rows_for(size_t count, int columns) { return (static_cast<int>(count) + columns - 1) / columns; }

// Adds `contents` to the figure, row by row in `columns` columns from `first_column` on, each `row_span` rows high.
template <class Content>
void place(FigureSpec& figure, const std::vector<Content>& contents, int columns, int first_column, int row_span) {
    for (size_t i = 0; i < contents.size(); ++i) {
        const int at = static_cast<int>(i);
        figure.cells.push_back({contents[i], at / columns * row_span, first_column + at % columns, row_span, 1});
    }
}

// Inches by which plots grow for the longest of their legends, so that overlaid runs do not squeeze them.
double legend_height(const std::vector<PlotSpec>& plots, double page_width) {
    constexpr double kEntryHeight = 0.2;  // on a page 10 inches wide
    constexpr std::ptrdiff_t kRoomFor = 6;
    std::ptrdiff_t most = kRoomFor;
    for (const PlotSpec& plot : plots)
        most =
            std::max(most, count_if(plot.series, [](const Series& one) { return !one.name.empty() && !one.hidden; }));
    return kEntryHeight * std::clamp(page_width / 10.0, 0.6, 2.0) * static_cast<double>(most - kRoomFor);
}

FigureSpec curves_figure(const std::vector<PlotSpec>& plots) {
    FigureSpec figure;
    const int columns = plots.size() == 1 ? 1 : 2;
    const int rows = rows_for(plots.size(), columns);
    place(figure, plots, columns, 0, 1);
    figure.width_inches = kPlotWidth * columns;
    figure.height_inches = (kPlotHeight + legend_height(plots, figure.width_inches)) * rows + kTitleHeight;
    return figure;
}

FigureSpec matrices_figure(const std::vector<HeatmapSpec>& heatmaps) {
    FigureSpec figure;
    const int columns = matrix_columns(heatmaps.size());
    place(figure, heatmaps, columns, 0, 1);
    figure.width_inches = kMatrixSide * columns + 0.6;
    figure.height_inches = kMatrixHeight * rows_for(heatmaps.size(), columns) + kTitleHeight;
    return figure;
}

// Matrices left, then drawings below each other, plots right, on a grid whose rows all share.
FigureSpec window_figure(const ShownPanels& shown) {
    if (shown.plots.empty() && shown.scenes.empty()) return matrices_figure(shown.heatmaps);
    if (shown.heatmaps.empty() && shown.scenes.empty()) return curves_figure(shown.plots);
    FigureSpec figure;
    const std::vector<DrawingSpec> drawings = mapped(shown.scenes, &SceneMoment::drawing);
    const int left = shown.heatmaps.empty() ? 0 : matrix_columns(shown.heatmaps.size());
    const int middle = drawings.empty() ? 0 : 1;
    const int right = shown.plots.empty() ? 0 : shown.plots.size() <= 3 ? 1 : 2;
    const int matrix_rows = left == 0 ? 1 : rows_for(shown.heatmaps.size(), left);
    const int drawing_rows = std::max(1, static_cast<int>(drawings.size()));
    const int plot_rows = right == 0 ? 1 : rows_for(shown.plots.size(), right);
    place(figure, shown.heatmaps, left, 0, drawing_rows * plot_rows);
    place(figure, drawings, 1, left, matrix_rows * plot_rows);
    place(figure, shown.plots, right, left + middle, matrix_rows * drawing_rows);
    figure.column_weights.assign(static_cast<size_t>(left), kMatrixSide);
    figure.column_weights.resize(static_cast<size_t>(left + middle), kDrawingWidth);
    figure.column_weights.resize(static_cast<size_t>(left + middle + right), kPlotWidth);
    figure.row_weights.assign(static_cast<size_t>(matrix_rows * drawing_rows * plot_rows), 1.0);
    figure.width_inches = kMatrixSide * left + kDrawingWidth * middle + kPlotWidth * right;
    figure.height_inches = std::max({kMatrixHeight * matrix_rows, kDrawingHeight * static_cast<double>(drawings.size()),
                                     (kWidePlotHeight + legend_height(shown.plots, figure.width_inches)) * plot_rows}) +
                           kTitleHeight;
    return figure;
}

FigureSpec without_provenance(const FigureChoice& choice, const ExperimentInfo& info, const Snapshot& snapshot,
                              const MetricHistory& history, const ShownPanels& shown) {
    const size_t at = choice.index;
    if (choice.kind == Kind::figure) return info.figures.at(at).draw(snapshot, history).figure;
    if (choice.kind == Kind::plot) return curves_figure({shown.plots.at(at)});
    if (choice.kind == Kind::curves) return curves_figure(shown.plots);
    if (choice.kind == Kind::matrix) return matrices_figure({shown.heatmaps.at(at)});
    if (choice.kind == Kind::matrices) return matrices_figure(shown.heatmaps);
    if (choice.kind == Kind::scene) return scene_figure(shown.scenes.at(at));
    if (choice.kind == Kind::window) return window_figure(shown);
    check(choice.kind == Kind::stage, "a figure of many runs is made by its grid");
    const ShownPanels stage = on_stage(shown);
    const bool scene = stage.plots.empty() && stage.heatmaps.empty() && stage.scenes.size() == 1;
    return scene ? scene_figure(stage.scenes.front()) : window_figure(stage);
}

// What the lines of a plot over networks are; "" if they are only shares.
const char* spread_text(const PlotSpec& plot) {
    const bool means = any_of(plot.series, [](const Series& one) { return one.rows.size() > 1 && !one.share; });
    if (!means && plot.spread != Spread::every_seed) return "";
    return plot.spread == Spread::standard_error ? "mean over networks with a band of one standard error"
           : plot.spread == Spread::deviation    ? "mean over networks with a band of one standard deviation"
           : plot.spread == Spread::median       ? "median over networks with a band from the 25 % to the 75 % quantile"
                                                 : "each network thin, their mean thick";
}

// The treatment of the plots' numbers, from the first plot with several seeds.
std::string treatment_text(const FigureSpec& figure) {
    for (const FigureCell& cell : figure.cells) {
        const auto* plot = std::get_if<PlotSpec>(&cell.content);
        if (plot == nullptr) continue;
        const auto any = [&](bool (*holds)(const Series&)) { return any_of(plot->series, holds); };
        if (!any([](const Series& series) { return series.rows.size() > 1; })) continue;
        const std::string smoothing =
            plot->smoothing > 0.0 ? fmt::format(", smoothed (weight {:g} on the past)", plot->smoothing) : "";
        const std::string seed = highlight_note(*plot);
        std::string text = spread_text(*plot);
        if (plot->spread != Spread::every_seed && any([](const Series& series) { return series.share; }))
            text +=
                fmt::format("{}shares of {}s with Wilson's 95 % interval", text.empty() ? "" : "; ", plot->row_word);
        return fmt::format("Curves: {}{}{}{}. ", text, smoothing, seed.empty() ? "" : "; ", seed);
    }
    return "";
}

// The note of the first drawing that has one.
std::string drawing_text(const FigureSpec& figure) {
    for (const FigureCell& cell : figure.cells)
        if (const auto* drawing = std::get_if<DrawingSpec>(&cell.content))
            if (!drawing->note.empty()) return drawing->note + " ";
    return "";
}

// Captions list the seeds in a sentence of their own.
bool is_seed_field(const FieldInfo& field) {
    return field.role == FieldRole::first_seed || field.role == FieldRole::seed_count;
}

// The settings that `which` picks, as the window names them: "layers L = 3, Thompson sampling (TS) off".
std::string settings_in_words(const Settings& settings, const std::function<bool(const FieldInfo&)>& which) {
    return listed(filtered(settings.fields(), which), [&](const FieldInfo& field) {
        const auto* flag = std::get_if<bool>(&settings.value(field.name));
        const std::string& name = field.label.empty() ? field.name : field.label;
        if (flag != nullptr) return name + (*flag ? " on" : " off");
        return name + " = " + value_in_words(field, settings.shown(field.name));
    });
}

}  // namespace

std::string settings_list(const Settings& settings, const std::function<bool(const FieldInfo&)>& which) {
    return listed(filtered(settings.fields(), which),
                  [&](const FieldInfo& field) { return field.name + " = " + to_text(settings.shown(field.name)); });
}

std::string changed_settings(const Settings& settings) {
    const std::string list = settings_in_words(settings, [&](const FieldInfo& field) {
        return !is_seed_field(field) && settings.value(field.name) != field.default_value;
    });
    return list.empty() ? "All settings are the defaults." : fmt::format("Settings other than the defaults: {}.", list);
}

std::string other_run_text(const OtherRun& other, const Snapshot& from) {
    const Snapshot& moment = *other.moment;
    std::string text = other.role + (other.name.empty() ? "" : " " + other.name) + ": ";
    if (moment.experiment != from.experiment) {
        text += "experiment " + moment.experiment + ", " + changed_settings(moment.settings);
        text.pop_back();
    } else {
        const std::string list = settings_in_words(moment.settings, [&](const FieldInfo& field) {
            return !is_seed_field(field) && moment.settings.value(field.name) != from.settings.value(field.name);
        });
        text += list.empty() ? "the same settings" : list;
    }
    return fmt::format("{}. {}, {} {}.", text, seed_list_text(moment.seeds), moment.step, moment.step_unit);
}

std::string seed_list_text(const std::vector<SeedStatus>& seeds) {
    bool consecutive = seeds.size() > 1;
    for (size_t i = 0; i < seeds.size(); ++i) consecutive = consecutive && seeds[i].seed == seeds[0].seed + i;
    const std::string list = consecutive ? fmt::format("{}..{}", seeds.front().seed, seeds.back().seed)
                                         : listed(seeds, [](const SeedStatus& seed) { return seed.seed; });
    return fmt::format("{} {}", seeds.size() == 1 ? "Seed" : "Seeds", list.empty() ? "none" : list);
}

std::string run_config(const Snapshot& snapshot, PictureOrigin origin) {
    const Settings& settings = snapshot.settings;
    if (settings.has("seed") && settings.has("seeds")) {
        const auto first = static_cast<uint64_t>(settings.integer("seed"));
        bool counted = static_cast<int64_t>(snapshot.seeds.size()) == settings.integer("seeds");
        for (size_t k = 0; k < snapshot.seeds.size(); ++k) counted = counted && snapshot.seeds[k].seed == first + k;
        if (!counted) origin.runs = {seed_list_text(snapshot.seeds)};
    }
    return settings_to_toml(snapshot.experiment, settings, origin);
}

std::string file_stem(const std::string& text) {
    std::string stem;
    for (const char c : text) {
        const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_';
        if (plain)
            stem += c;
        else if (!stem.empty() && stem.back() != '-')
            stem += '-';
    }
    while (!stem.empty() && stem.back() == '-') stem.pop_back();
    stem.erase(0, std::min(stem.size(), stem.find_first_not_of(".-")));  // no hidden file and no option
    return stem.empty() ? "figure" : stem;
}

ShownPanels panels_of(const Study& study, const Snapshot& snapshot, const MetricHistory& history) {
    ShownPanels shown;
    AxisSpec x;
    x.label = snapshot.step_unit;
    x.minimum = 0.0;
    for (const MetricPlot& plot : study.metric_plots()) shown.plots.push_back(history.plot(plot, x, snapshot.step));
    for (const PlotSpec& plot : snapshot.plots) shown.plots.push_back(plot);
    for (const NamedMatrix& matrix : snapshot.matrices) {
        shown.heatmaps.push_back(heatmap_of(snapshot, matrix, {}));
        if (!matrix.target) continue;
        shown.heatmaps.back().title += ", learned";
        shown.heatmaps.push_back(heatmap_of(snapshot, matrix, {.mode = MatrixView::Mode::theory}));
    }
    for (const Scene& scene : snapshot.scenes) shown.scenes.push_back(moment_of(scene, typical_moment(scene)));
    return shown;
}

ShownPanels on_stage(const ShownPanels& shown) {
    const auto stands = [&](const std::string& id) {
        return any_of(shown.stage, [&](const std::string& name) {
            return id == name || id.starts_with(name + " ");  // theory's matrix beside what was learned
        });
    };
    ShownPanels stage;
    const bool tiles = stands(kSeedTiles);
    stage.plots = filtered(shown.plots, [&](const PlotSpec& plot) { return stands(plot.id); });
    stage.heatmaps = filtered(shown.heatmaps, [&](const HeatmapSpec& map) { return tiles || stands(map.id); });
    stage.scenes = filtered(shown.scenes, [&](const SceneMoment& scene) { return stands(scene.drawing.id); });
    return stage;
}

std::vector<FigureChoice> figure_choices(const ExperimentInfo& info, const ShownPanels& shown) {
    const auto& [plots, heatmaps, scenes] = std::tie(shown.plots, shown.heatmaps, shown.scenes);
    std::vector<FigureChoice> choices;
    const auto add = [&](Kind kind, size_t index, const std::string& wanted, const std::string& title) {
        std::string name = file_stem(wanted);
        const auto taken = [&](const FigureChoice& other) { return other.name == name; };
        for (int i = 2; any_of(choices, taken); ++i) name = fmt::format("{}-{}", file_stem(wanted), i);
        choices.push_back({kind, index, name, title});
    };
    const auto own = [&](const std::string& name) { return info.name + "-" + name; };
    for (size_t i = 0; i < info.figures.size(); ++i)
        add(info.figures[i].draw ? Kind::figure : Kind::grid, i, info.figures[i].name, info.figures[i].title);
    if (!shown.stage.empty()) add(Kind::stage, 0, own("stage"), "The stage");
    if (!plots.empty() && !heatmaps.empty())
        add(Kind::window, 0, own("window"),
            scenes.empty() ? "The whole window: matrices and curves"
                           : "The whole window: matrices, drawings and curves");
    if (heatmaps.size() > 1) add(Kind::matrices, 0, own("matrices"), "All matrices side by side");
    if (plots.size() > 1) add(Kind::curves, 0, own("curves"), "All curves");
    for (size_t i = 0; i < scenes.size(); ++i) add(Kind::scene, i, own(scenes[i].drawing.id), scenes[i].drawing.title);
    // Matrices come last: if every seed has its own, they are many and would hide what follows.
    for (size_t i = 0; i < plots.size(); ++i) add(Kind::plot, i, own(plots[i].id), plots[i].title);
    for (size_t i = 0; i < heatmaps.size(); ++i) add(Kind::matrix, i, own(heatmaps[i].id), heatmaps[i].title);
    return choices;
}

FigureSpec build_figure(const FigureChoice& choice, const ExperimentInfo& info, const Snapshot& snapshot,
                        const MetricHistory& history, const ShownPanels& shown) {
    FigureSpec figure = without_provenance(choice, info, snapshot, history, shown);
    if (choice.kind != Kind::figure || figure.name.empty()) figure.name = choice.name;
    if (choice.kind != Kind::figure) {
        // A single panel has its own title; a page of panels takes the run's.
        if (figure.cells.size() > 1) figure.title = shown.title.empty() ? info.title : shown.title;
        figure.caption = drawing_text(figure) + treatment_text(figure);
    }
    if (const std::string result = result_words(snapshot); choice.kind == Kind::stage && !result.empty())
        figure.title += (figure.title.empty() ? "" : ": ") + result;
    if (!figure.caption.empty() && !figure.caption.ends_with(' ')) figure.caption += ' ';
    figure.caption += provenance(snapshot);
    std::vector<std::string> others;
    if (choice.kind != Kind::figure)  // a paper's figure is of the run alone
        for (const OtherRun& other : shown.others) others.push_back(other_run_text(other, snapshot));
    for (const std::string& other : others) figure.caption += " " + other;
    figure.seeds = mapped(snapshot.seeds, &SeedStatus::seed);
    PictureOrigin origin{choice.name, snapshot.step};
    // A paper's figure is independent of the window's view.
    if (choice.kind != Kind::figure) origin.view = shown.view;
    if (!others.empty()) (*origin.view)[kBesideView] = others;
    figure.config = run_config(snapshot, origin);
    return figure;
}

std::string why_missing(const FigureInfo& figure, const Snapshot& snapshot, const MetricHistory& history) {
    try {
        figure.draw(snapshot, history);
        return "";
    } catch (const InputError& error) {
        return error.what();
    }
}

std::string provenance(const Snapshot& snapshot) {
    const int failed = count_networks(snapshot).failed;
    std::string text = fmt::format("{} {}: {} looked at", changed_settings(snapshot.settings),
                                   seed_list_text(snapshot.seeds), counted(snapshot.seeds.size(), "run"));
    if (!snapshot.emergence_rule.empty() || counts_verdicts(snapshot)) text += ", " + result_words(snapshot);
    if (failed > 0) text += fmt::format(", {} stopped and left out of means", failed);
    return text + fmt::format(". Experiment {}, {} {}, Emergence {}.", snapshot.experiment, snapshot.step,
                              snapshot.step_unit, version());
}

}  // namespace emergence
