#include "app/export/figure_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "core/files/csv.h"
#include "core/settings/embedded_settings.h"

namespace emergence {
namespace {

std::string panel_name(const std::string& id, const std::string& title, const FigureCell& cell) {
    if (!id.empty()) return id;
    return title.empty() ? fmt::format("cell {} {}", cell.row, cell.column) : title;
}

// Makes a name that an array can have too. It has no control characters and cannot lead out of an archive.
std::string entry_name(std::string name) {
    for (char& c : name)
        if (c == '\\' || static_cast<unsigned char>(c) < 32 || c == 127) c = '_';
    for (size_t dots; (dots = name.find("..")) != std::string::npos;) name.replace(dots, 2, "__");
    for (size_t slashes; (slashes = name.find("//")) != std::string::npos;) name.replace(slashes, 2, "/_");
    if (name.starts_with('/')) name = fmt::format("_{}", name);
    if (name.size() > 1 && name[1] == ':') name[1] = '_';  // or it would look like a drive
    if (name.empty() || name.ends_with('/')) name += "_";
    return name;
}

// Returns `names`, with numbers added where one is taken. Tables and arrays give each thing the same name, and no other
// thing has it. A curve's x and seeds are arrays below its name.
std::vector<std::string> distinct(std::vector<std::string> names, std::set<std::string> taken = {}) {
    for (std::string& name : names) {
        name = entry_name(std::move(name));
        std::string free = name;
        const auto is_taken = [&] {
            return taken.contains(free) || taken.contains(free + "/x") || taken.contains(free + "/seeds");
        };
        for (int i = 2; is_taken(); ++i) free = fmt::format("{} {}", name, i);
        taken.insert({free, free + "/x", free + "/seeds"});
        name = std::move(free);
    }
    return names;
}

std::vector<std::string> series_names(const PlotSpec& plot) {
    std::vector<std::string> names;
    for (const Series& series : plot.series) names.push_back(series.name);
    return distinct(std::move(names));
}

std::vector<std::string> number_names(const DrawingSpec& drawing) {
    std::vector<std::string> names;
    for (const DrawnNumber& number : drawing.numbers) names.push_back(number.name);
    return distinct(std::move(names));
}

// A number that only stands for an unknown coordinate is not a number of the figure.
double known_x(const Series& series, size_t i) {
    return series.details.knows_x(i) ? series.x[i] : std::numeric_limits<double>::quiet_NaN();
}
double known_y(const Series& series, const std::vector<double>& row, size_t i) {
    return series.details.knows_y(i) ? row[i] : std::numeric_limits<double>::quiet_NaN();
}

// Collects the lines of the table, which have the fields of kDataColumns.
class Rows {
  public:
    explicit Rows(const std::vector<uint64_t>& seeds) : seeds_(seeds) {
        for (const DataColumn& column : kDataColumns)
            text_ += fmt::format("{}{}", text_.empty() ? "" : ",", column.name);
        text_ += '\n';
    }

    void add(const PlotSpec& plot, const std::string& panel) {
        const std::vector<std::string> names = series_names(plot);
        for (size_t s = 0; s < names.size(); ++s) {
            const Series& series = plot.series[s];
            for (size_t run = 0; run < series.rows.size(); ++run) {
                const bool seeded = series.seeds.empty() && series.rows.size() == seeds_.size();
                const std::string head = fmt::format("{},curve,{},{},", csv_field(panel), csv_field(names[s]), run);
                const std::vector<double>& row = series.rows[run];
                for (size_t i = 0; i < std::min(row.size(), series.x.size()); ++i)
                    text_ += fmt::format("{}{},{},,,{}\n", head,
                                         seeded ? std::to_string(seeds_[run]) : seed_text(series.seeds, i),
                                         csv_field(known_x(series, i)), csv_field(known_y(series, row, i)));
                add_details(series, names[s], panel);
            }
        }
        for (const ReferenceLine& line : plot.lines) {
            const std::string value = csv_field(line.value);
            text_ += fmt::format("{},line,{},,,{},,,{}\n", csv_field(panel), csv_field(line.label),
                                 line.vertical ? value : "", line.vertical ? "" : value);
        }
    }
    void add(const HeatmapSpec& heatmap, const std::string& panel) {
        const Table& table = heatmap.values;
        for (int i = 0; i < table.rows; ++i)
            for (int j = 0; j < table.columns; ++j)
                text_ += fmt::format("{},matrix,,,{},,{},{},{}\n", csv_field(panel),
                                     seed_text(heatmap.seeds, static_cast<size_t>(j)), i, j, csv_field(table(i, j)));
        for (const CellMarks& marks : heatmap.marks)
            for (const CellMarks::Cell& cell : marks.cells)
                text_ += fmt::format("{},mark,{},,,,{},{},\n", csv_field(panel), csv_field(marks.name), cell.row,
                                     cell.column);
    }
    void add(const DrawingSpec& drawing, const std::string& panel) {
        const std::vector<std::string> names = number_names(drawing);
        for (size_t i = 0; i < names.size(); ++i)
            text_ += fmt::format("{},number,{},,,,,,{}\n", csv_field(panel), csv_field(names[i]),
                                 csv_field(drawing.numbers[i].value));
    }
    std::string take() { return std::move(text_); }

  private:
    // The values that points have beside their places.
    void add_details(const Series& series, const std::string& name, const std::string& panel) {
        const PointDetails& details = series.details;
        const auto add = [&](const char* kind, const std::string& of, size_t i, const std::string& value) {
            text_ += fmt::format("{},{},{},0,{},{},,,{}\n", csv_field(panel), kind, csv_field(of),
                                 seed_text(series.seeds, i), csv_field(known_x(series, i)), value);
        };
        const std::pair<const char*, const std::vector<double>*> numbers[] = {
            {"x half", &details.half_x}, {"y half", &details.half_y}, {"share", &details.ring}};
        for (const auto& [kind, values] : numbers)
            for (size_t i = 0; i < values->size(); ++i) add(kind, name, i, csv_field((*values)[i]));
        for (size_t i = 0; i < details.words.size(); ++i) add("words", details.words[i], i, "");
    }
    static std::string seed_text(const std::vector<uint64_t>& seeds, size_t i) {
        return i < seeds.size() ? std::to_string(seeds[i]) : "";
    }

    const std::vector<uint64_t>& seeds_;
    std::string text_;
};

class Arrays {
  public:
    void add(const PlotSpec& plot, const std::string& panel) {
        const std::vector<std::string> names = series_names(plot);
        for (size_t s = 0; s < names.size(); ++s) {
            const Series& series = plot.series[s];
            Array rows{{series.rows.size(), series.x.size()}, std::vector<double>()};
            auto& values = std::get<std::vector<double>>(rows.values);
            for (std::vector<double> row : series.rows) {
                row.resize(series.x.size(), std::numeric_limits<double>::quiet_NaN());
                for (size_t i = 0; i < row.size(); ++i) row[i] = known_y(series, row, i);
                values.insert(values.end(), row.begin(), row.end());
            }
            const std::string name = panel + "/" + names[s];
            put(name, std::move(rows));
            std::vector<double> x = series.x;
            for (size_t i = 0; i < x.size(); ++i) x[i] = known_x(series, i);
            put(name + "/x", {{x.size()}, std::move(x)});
            put_seeds(name, series.seeds);
        }
    }
    void add(const HeatmapSpec& heatmap, const std::string& panel) {
        const Table& table = heatmap.values;
        put(panel, {{static_cast<size_t>(table.rows), static_cast<size_t>(table.columns)}, table.values});
        put_seeds(panel, heatmap.seeds);
    }
    void add(const DrawingSpec& drawing, const std::string& panel) {
        const std::vector<std::string> names = number_names(drawing);
        for (size_t i = 0; i < names.size(); ++i)
            put(panel + "/" + names[i], {{1}, std::vector<double>{drawing.numbers[i].value}});
    }
    void put(const std::string& name, Array array) {
        std::string free = name;  // a panel may have the same name as another panel's curve
        for (int i = 2; arrays_.contains(free); ++i) free = fmt::format("{} {}", name, i);
        arrays_.emplace(free, std::move(array));
    }
    ArrayMap take() { return std::move(arrays_); }

  private:
    void put_seeds(const std::string& name, const std::vector<uint64_t>& seeds) {
        if (!seeds.empty()) put(name + "/seeds", {{seeds.size()}, seeds});
    }

    ArrayMap arrays_;
};

template <class Target>
void add_cells(const FigureSpec& figure, Target& target) {
    std::vector<std::string> names;
    for (const FigureCell& cell : figure.cells)
        std::visit([&](const auto& content) { names.push_back(panel_name(content.id, content.title, cell)); },
                   cell.content);
    names = distinct(std::move(names), {"seeds", kSettingsKey});
    for (size_t i = 0; i < names.size(); ++i)
        std::visit([&](const auto& content) { target.add(content, names[i]); }, figure.cells[i].content);
}

}  // namespace

std::string figure_csv(const FigureSpec& figure) {
    Rows rows(figure.seeds);
    add_cells(figure, rows);
    return rows.take();
}

ArrayMap figure_arrays(const FigureSpec& figure) {
    Arrays arrays;
    arrays.put("seeds", {{figure.seeds.size()}, figure.seeds});
    if (!figure.config.empty()) arrays.put(kSettingsKey, codes_of<int64_t>(figure.config));
    add_cells(figure, arrays);
    return arrays.take();
}

}  // namespace emergence
