#include "app/gui/widgets/term_card.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace emergence {
namespace {

double seconds_to_read(std::string_view text) {
    constexpr double kLeast = 4.0, kOfWord = 0.4;
    return kLeast + kOfWord * static_cast<double>(std::count(text.begin(), text.end(), ' '));
}

}  // namespace

void TermCard::begin(const std::vector<std::string>& known, double now) {
    on_ = true;
    known_ = {known.begin(), known.end()};
    now_ = now;
    next_ = now + kRest;
}

void TermCard::seen(const std::string& heading) {
    if (!on_ || (shown_ != nullptr ? still_seen_ : now_ < next_)) return;
    for (const handbook::TermPlace& place : handbook::terms_in(heading)) {
        const bool is_new =
            place.end - place.begin > 1 && !known_.contains(place.term->word);  // a letter may be a name
        if (shown_ != nullptr ? place.term != shown_ : !is_new) continue;
        if (shown_ == nullptr) until_ = now_ + seconds_to_read(place.term->definition);
        shown_ = place.term;
        still_seen_ = true;
        return;
    }
}

void TermCard::turn(double now) {
    now_ = now;
    if (!std::exchange(still_seen_, false)) put_away();
    if (stale(now)) dismiss();
}

bool TermCard::dismiss() {
    if (shown_ == nullptr) return false;
    known_.insert(shown_->word);
    shown_ = nullptr;
    next_ = now_ + kRest;
    return true;
}

void TermCard::dismiss_all() {
    for (const handbook::Term& term : handbook::glossary()) known_.insert(term.word);
    shown_ = nullptr;
}

}  // namespace emergence
