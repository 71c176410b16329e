#pragma once
// The game of guessing: rounds in an order drawn by a seed, each answer equally often; what was guessed, and scores.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/statistics.h"
#include "core/lab/guessing/riddles.h"

namespace emergence {

/// A guess, with what the judges said at that time.
struct Guess {
    std::string origin;
    int round = 0;  // from 1
    Riddle riddle;
    size_t answer = 0;

    bool right() const { return answer == riddle.truth; }
};

class GuessingGame {
  public:
    /// How often each answer comes in a round, if there are as many networks.
    static constexpr size_t kEach = 2;

    /// The networks that there are now; null: none. Of another origin they end the round; guesses stay. Those of the
    /// round's origin go on with it, whatever there was meanwhile.
    void follow(std::shared_ptr<const Riddles> riddles);
    const std::shared_ptr<const Riddles>& riddles() const { return riddles_; }

    /// The network that is shown, an index into riddles()->networks; none before each answer has a network.
    std::optional<size_t> shown() const;
    /// The number of the network in its round, from 1, and how many the round has.
    size_t place() const { return place_ + 1; }
    size_t round_size() const { return order_.size(); }
    int round() const { return round_; }
    /// Whether a network waits in this round to be guessed, so that its label stays covered.
    bool is_covered(size_t network) const;

    /// The guess of the network that is shown, if it is made.
    const Guess* guessed() const;
    /// Guesses, once for each network of a round. False if there is nothing to guess.
    bool guess(size_t answer);
    /// The next network; after the last one the next round. False before the guess.
    bool next();

    const std::vector<Guess>& guesses() const { return guesses_; }
    /// Forgets all guesses, and begins with the first round.
    void start_over();

  private:
    struct Place {
        uint64_t seed = 0;
        int64_t number = 0;
        bool operator==(const Place&) const = default;
    };
    static Place place_of(const Riddle& riddle) { return {riddle.seed, riddle.number}; }
    bool was_guessed(const Riddle& riddle) const;
    bool has_each_answer() const;
    void begin_round();

    std::shared_ptr<const Riddles> riddles_;
    std::string origin_;  // of the round, and
    uint64_t seed_ = 0;
    std::vector<Place> order_;
    size_t place_ = 0;
    int round_ = 0;
    bool answered_ = false;
    std::vector<Guess> guesses_;
};

/// How many guesses were right, and how many of the same networks a judge had right.
Fraction right_guesses(const std::vector<Guess>& guesses);
Fraction right_verdicts(const std::vector<Guess>& guesses, size_t judge);
/// Truths x answers: the shares of each truth's guesses; NaN without any.
Table confusion_of_guesses(const std::vector<Guess>& guesses, size_t answers);
/// A row for each network: truth, disguise, what each judge says.
std::string networks_csv(const Riddles& riddles);
/// A row for each guess: network, truth, disguise, your answer, each judge's.
std::string guesses_csv(const std::vector<Guess>& guesses, const Riddles& riddles);

}  // namespace emergence
