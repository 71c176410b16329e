#pragma once
// How the window shows a run, as named values embedded in what is exported and read back from there; and the window's
// state as text.

#include <limits>
#include <optional>
#include <span>
#include <string>

#include "app/gui/session/session.h"
#include "core/settings/toml.h"

namespace emergence {

/// What a file says under a name; nothing where it says nothing there, or what cannot be.
std::optional<bool> flag_in(const ViewValues& view, const std::string& name);
/// Finite, and from `low` to `high`.
std::optional<double> number_in(const ViewValues& view, const std::string& name, double low, double high);
/// The place of the text in `words`.
std::optional<int> choice_in(const ViewValues& view, const std::string& name, std::span<const char* const> words);

/// Values that are declared once, for both ways: one that is as at `first` is not written, one that is missing or not
/// possible becomes as at first.
class ViewFields {
  public:
    static ViewFields writing(ViewValues& view) { return ViewFields(&view, view); }
    static ViewFields reading(const ViewValues& view) { return ViewFields(nullptr, view); }
    bool reads() const { return into_ == nullptr; }
    const ViewValues& view() const { return view_; }

    void flag(const std::string& name, bool& value, bool first) {
        if (reads())
            value = flag_in(view_, name).value_or(first);
        else if (value != first)
            (*into_)[name] = value;
    }
    template <class Number>
    void number(const std::string& name, Number& value, Number first, double low, double high) {
        if (reads())
            value = static_cast<Number>(number_in(view_, name, low, high).value_or(static_cast<double>(first)));
        else if (value != first)
            (*into_)[name] = stored(value);
    }
    /// A value without a word is not written.
    template <class Choice>
    void choice(const std::string& name, Choice& value, Choice first, std::span<const char* const> words) {
        const auto place = static_cast<size_t>(value);
        if (reads())
            value = static_cast<Choice>(choice_in(view_, name, words).value_or(static_cast<int>(first)));
        else if (value != first && place < words.size())
            (*into_)[name] = std::string(words[place]);
    }
    // Those that may be unset.
    void number(const std::string& name, std::optional<double>& value, double low, double high) {
        if (reads())
            value = number_in(view_, name, low, high);
        else if (value)
            (*into_)[name] = *value;
    }
    template <class Choice>
    void choice(const std::string& name, std::optional<Choice>& value, std::span<const char* const> words) {
        if (!reads()) {
            if (value) (*into_)[name] = std::string(words[static_cast<size_t>(*value)]);
            return;
        }
        const auto found = choice_in(view_, name, words);
        value = found ? std::optional(static_cast<Choice>(*found)) : std::nullopt;
    }

  private:
    ViewFields(ViewValues* into, const ViewValues& view) : into_(into), view_(view) {}
    static int64_t stored(int value) { return value; }
    static double stored(double value) { return value; }
    static double stored(float value) { return static_cast<double>(value); }

    ViewValues* into_;
    const ViewValues& view_;
};

/// The experiment, the settings that differ from their defaults, how it is looked at and, if the run rests, its step.
std::string state_text(const Session& session, const ViewValues& view);

/// The settings and the step of the shown moment, with which a picture of the window opens again; "" before the first.
std::string settings_in_screenshot(const Session& session, const ViewValues& view = {});

}  // namespace emergence
