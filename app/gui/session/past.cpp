#include "app/gui/session/past.h"

#include <algorithm>
#include <utility>

namespace emergence {
namespace {

constexpr double kPlaySeconds = 10.0;

// The index of the first moment that is not before `step`.
int index_of(int64_t step, const SnapshotHistory& moments) {
    const auto& all = moments.moments();
    const auto at =
        std::lower_bound(all.begin(), all.end(), step,
                         [](const SnapshotHistory::Moment& moment, int64_t value) { return moment->step < value; });
    return static_cast<int>(at - all.begin());
}

std::string difference_text(const Settings& settings, const std::optional<Difference>& difference) {
    if (!difference) return "close B";
    const FieldInfo& field = settings.info(difference->field);
    return "B with " + field.label + " " + value_in_words(field, difference->value);
}

}  // namespace

void TimeCursor::show(int64_t step, const SnapshotHistory& moments) {
    const auto moment = moments.nearest(step);
    if (!moment || moment == moments.moments().back())
        show_live();
    else
        step_ = moment->step;
}

void TimeCursor::show_live() {
    step_.reset();
    playing_ = false;
}

void TimeCursor::move(int by, const SnapshotHistory& moments) {
    if (moments.empty()) return;
    playing_ = false;
    const int last = static_cast<int>(moments.moments().size()) - 1;
    // If the moment has been thinned out meanwhile, moving back leads to the one before it.
    const int from = step_ ? index_of(*step_, moments) : last, to = std::clamp(from + by, 0, last);
    show(moments.moments()[to]->step, moments);
}

void TimeCursor::play(const SnapshotHistory& moments) {
    if (moments.moments().size() < 2) return;
    if (!step_) step_ = moments.moments().front()->step;
    position_ = static_cast<double>(*step_);
    playing_ = true;
}

void TimeCursor::advance(double seconds, const SnapshotHistory& moments) {
    if (!playing_ || moments.empty()) return;
    const auto first = static_cast<double>(moments.moments().front()->step);
    const auto last = static_cast<double>(moments.moments().back()->step);
    position_ += seconds * (last - first) / kPlaySeconds;
    if (position_ >= last)
        show_live();
    else
        show(static_cast<int64_t>(position_), moments);
}

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
