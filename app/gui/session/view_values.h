#pragma once
// How the window shows a run, as named values that exported files carry; and the window's state as text.

#include <cmath>
#include <memory>
#include <string>

#include "app/gui/session/session.h"
#include "core/settings/toml.h"

namespace emergence {

/// Adds the values in which `now` differs from `first` to the view, under the prefix and their names. NaN is left out.
void write_fields(const Fields& now, const Fields& first, const std::string& prefix, ViewValues& view);
/// The values of `first`, replaced by those of the view where they are valid.
Settings read_fields(const ViewValues& view, const std::string& prefix, const Fields& first);

// The same for types with a function view_fields(Fields&, T&), which declares the values once for both directions.

template <class T>
void write_view(T now, T first, const std::string& prefix, ViewValues& view) {
    Fields is, was;
    view_fields(is, now);
    view_fields(was, first);
    write_fields(is, was, prefix, view);
}

template <class T>
T read_view(const ViewValues& view, const std::string& prefix, T first) {
    Fields was;
    view_fields(was, first);
    const Settings values = read_fields(view, prefix, was);
    Fields is(values);
    view_fields(is, first);
    return first;
}

/// The experiment, the settings that differ from their defaults, the view and, if the run is paused, its step.
std::string state_text(const Session& session, const ViewValues& view);

/// The settings and the step of the shown moment, from which a screenshot opens again; "" before the first moment.
std::string settings_in_screenshot(const Session& session, const ViewValues& view = {});

}  // namespace emergence
