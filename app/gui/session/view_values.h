#pragma once
// How the window shows a run, as named values embedded in what is exported and read back from there; and the window's
// state as text.

#include <cmath>
#include <memory>
#include <string>

#include "app/gui/session/session.h"
#include "core/settings/toml.h"

namespace emergence {

/// Puts what `now` declares otherwise than `first` into the view, each value under its name behind the prefix. NaN is
/// no value.
void write_fields(const Fields& now, const Fields& first, const std::string& prefix, ViewValues& view);
/// What `first` declares, as the view has it if that is possible.
Settings read_fields(const ViewValues& view, const std::string& prefix, const Fields& first);

// The same of something for which there is a view_fields(Fields&, T&), which declares it once for both ways.

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

/// The experiment, the settings that differ from their defaults, how it is looked at and, if the run rests, its step.
std::string state_text(const Session& session, const ViewValues& view);

/// The settings and the step of the shown moment, with which a picture of the window opens again; "" before the first.
std::string settings_in_screenshot(const Session& session, const ViewValues& view = {});

}  // namespace emergence
