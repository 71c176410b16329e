#include "core/lab/guessing/game.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/rng.h"
#include "core/files/csv.h"

namespace emergence {
namespace {

template <class List>
void shuffle(List& list, Stream& stream) {
    for (size_t left = list.size(); left > 1; --left) {
        const auto chosen = static_cast<size_t>(stream.uniform() * static_cast<double>(left));
        std::swap(list[left - 1], list[chosen]);
    }
}

std::string csv_header(const std::string& first, const std::string& between, const Riddles& riddles) {
    std::string text = first + "seed,network,truth,made_as,disguise," + between;
    for (const RiddleJudge& judge : riddles.judges) text += csv_field(judge.name) + ",";
    return text + "networks_of\n";
}
std::string csv_network(const Riddle& riddle, const Riddles& riddles) {
    return fmt::format("{},{},{},{},{},", riddle.seed, riddle.number, csv_field(riddles.answers[riddle.truth].label),
                       csv_field(riddle.made_as), csv_field(riddle.disguise));
}
std::string csv_verdicts(const Riddle& riddle, const std::string& origin) {
    std::string text;
    for (const JudgeVerdict& verdict : riddle.verdicts) text += csv_field(verdict.text) + ",";
    return text + csv_field(origin) + "\n";
}

}  // namespace

std::string Riddle::name() const { return fmt::format("network {} of seed {}", number, seed); }
std::string Riddle::file_name() const { return fmt::format("seed-{}-network-{}", seed, number); }

std::vector<size_t> networks_in_cell(const Riddles& riddles, const std::string& matrix, size_t truth, size_t answer) {
    const auto judge = std::find_if(riddles.judges.begin(), riddles.judges.end(),
                                    [&](const RiddleJudge& one) { return matrix.ends_with("_" + one.name); });
    std::vector<size_t> networks;
    if (judge == riddles.judges.end()) return networks;
    const auto at = static_cast<size_t>(judge - riddles.judges.begin());
    for (size_t i = 0; i < riddles.networks.size(); ++i)
        if (riddles.networks[i].truth == truth && riddles.networks[i].verdicts[at].answer == answer)
            networks.push_back(i);
    return networks;
}

void GuessingGame::follow(std::shared_ptr<const Riddles> riddles) {
    if (riddles && (riddles->origin != origin_ || riddles->seed != seed_)) {
        origin_ = riddles->origin;
        seed_ = riddles->seed;
        order_.clear();
        answered_ = false;
    }
    riddles_ = std::move(riddles);
    if (order_.empty() && riddles_ && has_each_answer()) begin_round();
}

bool GuessingGame::has_each_answer() const {
    std::vector<bool> there(riddles_->answers.size(), false);
    for (const Riddle& riddle : riddles_->networks) there[riddle.truth] = true;
    return std::find(there.begin(), there.end(), false) == there.end();
}

bool GuessingGame::was_guessed(const Riddle& riddle) const {
    return std::any_of(guesses_.begin(), guesses_.end(), [&](const Guess& guess) {
        return guess.origin == riddles_->origin && place_of(guess.riddle) == place_of(riddle);
    });
}

// Networks of former rounds come again once there are no others.
void GuessingGame::begin_round() {
    ++round_;
    place_ = 0;
    answered_ = false;
    order_.clear();
    Stream stream(riddles_->seed, Purpose::pool, static_cast<uint32_t>(round_));
    std::vector<std::vector<Place>> of_answer(riddles_->answers.size());
    size_t each = kEach;
    for (size_t answer = 0; answer < of_answer.size(); ++answer) {
        std::vector<Place> fresh, known;
        for (const Riddle& riddle : riddles_->networks)
            if (riddle.truth == answer) (was_guessed(riddle) ? known : fresh).push_back(place_of(riddle));
        shuffle(fresh, stream);
        shuffle(known, stream);
        fresh.insert(fresh.end(), known.begin(), known.end());
        each = std::min(each, fresh.size());
        of_answer[answer] = std::move(fresh);
    }
    for (const std::vector<Place>& places : of_answer)
        order_.insert(order_.end(), places.begin(), places.begin() + static_cast<std::ptrdiff_t>(each));
    shuffle(order_, stream);
}

std::optional<size_t> GuessingGame::shown() const {
    if (!riddles_ || place_ >= order_.size()) return std::nullopt;
    for (size_t i = 0; i < riddles_->networks.size(); ++i)
        if (place_of(riddles_->networks[i]) == order_[place_]) return i;
    return std::nullopt;  // the run has started again and has not come so far
}

bool GuessingGame::is_covered(size_t network) const {
    const Place place = place_of(riddles_->networks[network]);
    const auto from = order_.begin() + static_cast<std::ptrdiff_t>(std::min(order_.size(), place_ + answered_));
    return std::find(from, order_.end(), place) != order_.end();
}

const Guess* GuessingGame::guessed() const { return answered_ ? &guesses_.back() : nullptr; }

bool GuessingGame::guess(size_t answer) {
    const std::optional<size_t> network = shown();
    if (!network || answered_ || answer >= riddles_->answers.size()) return false;
    guesses_.push_back({riddles_->origin, round_, riddles_->networks[*network], answer});
    answered_ = true;
    return true;
}

bool GuessingGame::next() {
    if (!answered_ || !riddles_) return false;
    answered_ = false;
    if (++place_ == order_.size()) begin_round();
    return true;
}

void GuessingGame::start_over() {
    guesses_.clear();
    order_.clear();
    round_ = 0;
    answered_ = false;
    follow(riddles_);
}

Fraction right_guesses(const std::vector<Guess>& guesses) {
    const auto right = std::count_if(guesses.begin(), guesses.end(), [](const Guess& guess) { return guess.right(); });
    return fraction(static_cast<int>(right), static_cast<int>(guesses.size()));
}

Fraction right_verdicts(const std::vector<Guess>& guesses, size_t judge) {
    const auto right = std::count_if(guesses.begin(), guesses.end(),
                                     [&](const Guess& guess) { return guess.riddle.verdicts[judge].right; });
    return fraction(static_cast<int>(right), static_cast<int>(guesses.size()));
}

Table confusion_of_guesses(const std::vector<Guess>& guesses, size_t answers) {
    const int size = static_cast<int>(answers);
    Table counts(size, size), shares(size, size, kMissing);
    for (const Guess& guess : guesses) ++counts(static_cast<int>(guess.riddle.truth), static_cast<int>(guess.answer));
    for (int i = 0; i < size; ++i) {
        double sum = 0;
        for (int j = 0; j < size; ++j) sum += counts(i, j);
        for (int j = 0; j < size && sum > 0; ++j) shares(i, j) = counts(i, j) / sum;
    }
    return shares;
}

std::string networks_csv(const Riddles& riddles) {
    std::string text = csv_header("", "", riddles);
    for (const Riddle& riddle : riddles.networks)
        text += csv_network(riddle, riddles) + csv_verdicts(riddle, riddles.origin);
    return text;
}

std::string guesses_csv(const std::vector<Guess>& guesses, const Riddles& riddles) {
    std::string text = csv_header("round,", "you,right,", riddles);
    for (const Guess& guess : guesses)
        text += fmt::format("{},{}{},{:d},{}", guess.round, csv_network(guess.riddle, riddles),
                            csv_field(riddles.answers[guess.answer].label), guess.right(),
                            csv_verdicts(guess.riddle, guess.origin));
    return text;
}

}  // namespace emergence
