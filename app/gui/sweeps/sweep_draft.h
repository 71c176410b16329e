#pragma once
// A phase diagram as somebody puts it together: texts that need not make sense yet.

#include <optional>
#include <string>
#include <vector>

#include "core/lab/sweeps/sweep_run.h"

namespace emergence {

struct AxisDraft {
    std::string field;   // "" for none
    std::string values;  // "1, 2, 3", or a range, see parse_axis()
    double from = 0.0, to = 0.0;
    int count = 5;
    bool logarithmic = false;
    std::string shown = {};  // of an axis beyond the second: the value that the picture shows; "": the first

    bool operator==(const AxisDraft&) const = default;
};

struct SweepDraft {
    const ExperimentInfo* experiment = nullptr;
    Settings settings;  // of all cells
    std::string title, description;
    std::string score;
    std::string score_label;  // for titles; "": the name
    int seeds = 4;
    bool weights = false;  // whether those of each cell are saved
    AxisDraft x, y;
    std::vector<AxisDraft> more;

    /// All that have a field.
    std::vector<const AxisDraft*> axes() const;
};

/// The fields that can be an axis: all but those that say which seeds there are.
std::vector<const FieldInfo*> axis_fields(const Settings& settings);

/// An axis over a field with values around the one that it has.
AxisDraft axis_around(const Settings& settings, const std::string& field);
/// An axis for `draft` over the first number that is no axis yet; nothing if none is left.
std::optional<AxisDraft> another_axis(const SweepDraft& draft);
/// Its values as its range has them; left as they are for what is no number.
void fill_from_range(const Settings& settings, AxisDraft& axis);

/// What is put together around a run's settings.
SweepDraft draft_around(const ExperimentInfo& experiment, const Settings& settings);
SweepDraft draft_of(const Sweep& sweep);

/// The sweep as it is put together. Throws InputError where it does not go together.
SweepText sweep_of(const SweepDraft& draft);

}  // namespace emergence
