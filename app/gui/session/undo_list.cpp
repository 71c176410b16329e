#include "app/gui/session/undo_list.h"

#include <utility>

namespace emergence {
namespace {

std::string difference_text(const Settings& settings, const std::optional<Difference>& difference) {
    if (!difference) return "close B";
    const FieldInfo& field = settings.info(difference->field);
    return "B with " + field.label + " " + value_in_words(field, difference->value);
}

}  // namespace

std::string change_text(const Setup& from, const Setup& to) {
    if (from.experiment != to.experiment) return to.experiment->title;
    std::string text;
    int changed = 0;
    for (const FieldInfo& field : to.settings.fields()) {
        const FieldValue& before = from.settings.value(field.name);
        const FieldValue& after = to.settings.value(field.name);
        if (before == after) continue;
        if (++changed == 1)
            text = field.label + " " + value_in_words(field, before) + " → " + value_in_words(field, after);
    }
    if (changed > 1) return std::to_string(changed) + " settings";
    return changed == 1 ? text : difference_text(to.settings, to.difference);
}

void UndoList::note(const Setup& before, const std::string& gesture) {
    future_.clear();
    const bool goes_on = !gesture.empty() && gesture == gesture_;
    gesture_ = gesture;
    if (goes_on) return;
    past_.push_back(before);
    if (past_.size() > kMostSteps) past_.erase(past_.begin());
}

void UndoList::end_gesture(const Setup& now) {
    if (gesture_.empty()) return;
    gesture_.clear();
    if (!past_.empty() && past_.back() == now) past_.pop_back();
}

std::optional<Setup> UndoList::undo(const Setup& now) {
    end_gesture(now);
    if (past_.empty()) return std::nullopt;
    future_.push_back(now);
    Setup back = std::move(past_.back());
    past_.pop_back();
    return back;
}

std::optional<Setup> UndoList::redo(const Setup& now) {
    if (future_.empty()) return std::nullopt;
    gesture_.clear();
    past_.push_back(now);
    Setup forth = std::move(future_.back());
    future_.pop_back();
    return forth;
}

}  // namespace emergence
