#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/base/text.h"
#include "core/experiments/bandits/bandits.h"
#include "core/experiments/common_fields.h"
#include "core/lab/views/run_views.h"

namespace emergence {

void BanditWorldFields::fields(Fields& f) {
    kind_fields(f);
    f.group("environment");
    f(d, "d", "features d", "Entries of an action vector, each uniform from -1 to 1.").log_range(1, 128);
    f(arms, "arms", "arms A", "Action vectors of an environment; they stay the same in all rounds.").log_range(2, 50);
    play_fields(f);
}

void BanditWorldFields::kind_fields(Fields& f) {
    f.group("environment");
    f.choice(kind, words_of<BanditKind>(bandit_kind_names()), "kind", "non-stationarity",
             "Cosine: rewards times cos(2\u03c0bt). Elevated: 0 to 1, plus 3 in some windows; the best arm stays. "
             "Abrupt: a new w* at every change. Drift: w* turns.");
    f(frequency, "frequency", "cosine: b",
      "Periods per round. Chen et al. 2025 train at 0.005 to 0.02 and test at 0.018 and 0.025.")
        .range(0, 0.06)
        .acts_while("kind", {"cosine"});
    f(windows, "windows", "elevated: N",
      "Windows N, spread evenly over rounds 50 to 649. Chen et al. 2025 have 2; other numbers are ours.")
        .range(0, kMostElevatedWindows)
        .acts_while("kind", {"elevated"});
    f(segments, "segments", "abrupt: segments J", "J segments of equal length, each with its own w*: J - 1 changes.")
        .log_range(1, 32)
        .acts_while("kind", {"abrupt"});
    f(angle, "angle", "drift: angle",
      "How far w* turns over all rounds. One radian adds about 2 to the budget \u0394 of Definition 1.")
        .unit("rad")
        .range(0, 50)
        .acts_while("kind", {"drift"});
}

void BanditWorldFields::play_fields(Fields& f) {
    f.group("environment");
    f(rounds, "rounds", "rounds T", "How many rounds an environment is played.").log_range(20, 4000);
    f(noise, "noise", "noise",
      "Standard deviation of a reward's noise before scaling. The cosine multiplies it too; elevated rewards divide "
      "it by the range of the means.")
        .range(0.01, 5);
}

std::vector<std::pair<std::string, std::string>> bandit_algorithm_labels() {
    return mapped(bandit_algorithms(), [](const auto& one) { return std::pair(one.name, one.label); });
}

void BanditPlayerFields::fields(Fields& f) {
    classical_fields(f);
    f.group("algorithms");
    f(transformer, "transformer", "transformer",
      "Which shipped network plays. Auto: the one trained on this kind of environment, else on a mixture. The "
      "weights fix d, A and the largest T.")
        .choices({"auto", "none", "cosine", "low", "mixture", "memorise"});
    constants_fields(f);
}

void BanditPlayerFields::classical_fields(Fields& f) {
    f.group("algorithms");
    f(play_linucb, "play_linucb", "LinUCB", "Weighs all rounds equally and forgets nothing.");
    f(play_thompson, "play_thompson", "Thompson sampling (TS)",
      "Draws a sample from its posterior and plays its best arm. v is a variance, as in Chen et al. 2025.");
    f(play_sliding_window, "play_sliding_window", "sliding-window LinUCB", "LinUCB that sees only the last W rounds.");
    f(play_discounted, "play_discounted", "D-LinUCB",
      "Discounted LinUCB: each round multiplies the weight of the past by \u03b3.");
    f(play_master_linucb, "play_master_linucb", "MASTER+LinUCB",
      "LinUCB on several time scales, with tests that restart it (Appendix C; Wei and Luo 2021).");
    f(play_master_thompson, "play_master_thompson", "MASTER+TS", "MASTER over Thompson sampling instead of LinUCB.");
    f(master_constants, "master_constants", "MASTER's constants",
      "theory: the constants of Chen et al. 2025, with which no test fires so early. practical (ours): blocks of 128 "
      "rounds, thresholds of 3 standard errors.")
        .choices({"practical", "theory", "both"});
    f(play_oracle_restart, "play_oracle_restart", "restarted (oracle)",
      "LinUCB that is told of every change and restarts there; with drift, at every quarter turn (ours). Not a bound, "
      "because a restart also forgets.");
    f(play_cosine_thompson, "play_cosine_thompson", "cosine-aware TS (oracle)",
      "Thompson sampling that knows the cosine and the prior: the true upper bound. Cosine only.");
    f(play_random, "play_random", "random", "Plays every arm with the same probability.");
}

void BanditPlayerFields::constants_fields(Fields& f) {
    f.group("constants");
    f(constants, "constants", "constants",
      "default: the values below, those of Chen et al. 2025 where they name one. tuned: the best values on a "
      "validation stream of this kind.")
        .choices({"default", "tuned"});
    const auto constant = [&f](auto& member, const char* name, const char* label, const char* help) {
        return f(member, name, label, help).advanced().acts_while("constants", {"default"});
    };
    constant(alpha, "alpha", "LinUCB \u03b1", "Width of its confidence bound.").log_range(0.01, 10);
    constant(restart_alpha, "restart_alpha", "restarted \u03b1",
             "Width of the confidence bound within MASTER and in the oracle's LinUCB.")
        .log_range(0.01, 10);
    constant(v, "v", "TS v", "The reward variance that Thompson sampling assumes; also the weight of its prior.")
        .log_range(0.001, 10);
    constant(window, "window", "window W", "Rounds that sliding-window LinUCB remembers.").log_range(2, 1000);
    constant(window_alpha, "window_alpha", "its \u03b1", "Width of sliding-window LinUCB's confidence bound.")
        .log_range(0.01, 10);
    constant(discount, "discount", "discount \u03b3",
             "In each round discounted LinUCB multiplies the weight of its past by this.")
        .range(0.5, 1);
    constant(discounted_alpha, "discounted_alpha", "its \u03b1", "Width of discounted LinUCB's confidence bound.")
        .log_range(0.01, 10);
    constant(probability, "probability", "MASTER's q",
             "Practical constants: an order-m instance begins with probability q 2^(-(n-m)/2).")
        .range(0, 1);
}

void BanditStreamFields::fields(Fields& f) {
    stop_after_field(f, num_environments, "num_environments", "environments", "Environments of each stream.", 1e5)
        .live();
    first_seed_field(f, seed, "Each seed is an independent stream of environments.");
    num_seeds_field(f, seeds, "How many independent streams of environments.");
    log_interval_field(f, log_interval, "environments");
}

void BanditLookFields::fields(Fields& f) {
    f.group("look inside");
    live(f, shown_environment, "shown_environment", "environment",
         "Which test environment is shown, with its expected rewards, the network's choices and its attention.")
        .range(0, 1999);
    live(f, shown_layer, "shown_layer", "attention of layer", "Counted from 1; the last if there are fewer.")
        .range(1, 24);
    live(f, shown_head, "shown_head", "of head", "Counted from 1; the last if there are fewer.").range(1, 24);
}

namespace {

// An algorithm's colour, the setting that lets it play, and which of MASTER's constants it has.
struct Seat {
    BanditAlgorithm algorithm;
    int color;
    bool BanditPlayerFields::*plays;
    const char* constants = nullptr;
};

// Every algorithm has its own colour and mark; the transformer has kBanditNetworkColor.
const std::vector<Seat>& seats() {
    using enum BanditAlgorithm;
    using F = BanditPlayerFields;
    static const std::vector<Seat> all = {{linucb, 0, &F::play_linucb},
                                          {thompson, 1, &F::play_thompson},
                                          {sliding_window, 2, &F::play_sliding_window},
                                          {discounted, 3, &F::play_discounted},
                                          {master_linucb, 4, &F::play_master_linucb, "practical"},
                                          {master_thompson, 5, &F::play_master_thompson, "practical"},
                                          {master_linucb_theory, 8, &F::play_master_linucb, "theory"},
                                          {master_thompson_theory, 9, &F::play_master_thompson, "theory"},
                                          {oracle_restart, 10, &F::play_oracle_restart},
                                          {cosine_thompson, 11, &F::play_cosine_thompson},
                                          {uniform, 7, &F::play_random}};
    return all;
}

BanditPlayer classical_player(const Seat& seat, const BanditConstants& constants, bool tuned) {
    using enum BanditAlgorithm;
    const BanditAlgorithmInfo& info = info_of(seat.algorithm);
    BanditPlayer player;
    player.id = info.name;
    player.name = player.label = info.label;
    player.color = seat.color;
    // Lines are dashed for oracles and for MASTER with theory's constants.
    player.dashed = info.oracle || (seat.constants != nullptr && seat.constants == std::string("theory"));
    player.stream = info.stream;
    player.make = [algorithm = seat.algorithm, constants] { return make_policy(algorithm, constants); };
    player.oracle = info.oracle;
    if (info.oracle) {
        player.label += " (oracle)";
        player.badge = seat.algorithm == oracle_restart
                           ? "It is told when the environment changes."
                           : "It is told the cosine and the distribution that w* is drawn from.";
    } else if (tuned && seat.algorithm != uniform) {
        player.label += " (tuned)";
        player.badge = "Its constants were tuned on a validation stream of this kind of environment.";
    }
    return player;
}

}  // namespace

int color_of(BanditAlgorithm algorithm) {
    return find_if(seats(), [&](const Seat& seat) { return seat.algorithm == algorithm; })->color;
}

BanditConstants tuned_constants(BanditKind kind) {
    static const std::map<BanditKind, BanditConstants> tuned = {
        {BanditKind::cosine, {8.0, 0.3, 1.0, 10, 0.3, 0.7, 0.3, 0.1}},
        {BanditKind::elevated, {1.0, 0.3, 0.01, 640, 1.0, 0.98, 0.3, 0.0}},
        {BanditKind::abrupt, {8.0, 1.0, 1.0, 10, 0.1, 0.95, 0.3, 0.0}},
        {BanditKind::drift, {8.0, 1.0, 3.0, 40, 0.3, 0.95, 0.3, 0.0}}};
    return tuned.at(kind);
}

BanditPlayers classical_players(const BanditOptions& world, const BanditPlayerFields& fields) {
    const bool tuned = fields.constants == "tuned";
    const BanditConstants constants = tuned ? tuned_constants(world.kind) : BanditConstants(fields);
    BanditPlayers result;
    for (const Seat& seat : seats()) {
        const bool with_its_constants =
            seat.constants == nullptr || fields.master_constants == "both" || fields.master_constants == seat.constants;
        if (!(fields.*seat.plays) || !with_its_constants) continue;
        if (seat.algorithm != BanditAlgorithm::cosine_thompson || world.kind == BanditKind::cosine)
            result.players.push_back(classical_player(seat, constants, tuned));
        else
            result.absent.push_back(info_of(seat.algorithm).label + " plays only where there is a cosine.");
    }
    return result;
}

BanditPlayers players_of(const BanditOptions& world, const BanditPlayerFields& fields) {
    BanditPlayers result = classical_players(world, fields);
    add_transformer(fields.transformer, world, result);
    return result;
}

void describe_players(const BanditOptions& world, const BanditPlayers& players, bool amount_acts, Snapshot& snapshot) {
    snapshot.notices = players.absent;
    if (players.trained && amount_acts)
        snapshot.field_ranges = {{amount_of(world).field, kTrainedHere, players.trained->from, players.trained->to}};
}

BanditAmount amount_of(const BanditOptions& fields) {
    const std::map<BanditKind, BanditAmount> amounts = {
        {BanditKind::cosine, {"frequency", "frequency b", fields.frequency, fmt::format("b = {}", fields.frequency)}},
        {BanditKind::elevated,
         {"windows", "elevated windows", static_cast<double>(fields.windows), counted(fields.windows, "window")}},
        {BanditKind::abrupt,
         {"segments", "segments J", static_cast<double>(fields.segments), fmt::format("J = {}", fields.segments)}},
        {BanditKind::drift, {"angle", "angle", fields.angle, fmt::format("angle {} rad", fields.angle)}}};
    return amounts.at(fields.kind);
}

int law_color() { return ordinal_color(Course::reds, 1, 2); }

CellMarks arm_marks(std::string name, int color, const std::vector<int>& arms, int rounds) {
    CellMarks marks{std::move(name), color, {}, true};
    for (int t = 0; t < rounds; ++t) marks.cells.push_back({arms[static_cast<size_t>(t)], t});
    return marks;
}

std::string absent_text(const BanditPlayers& players) { return listed(players.absent, std::identity(), " "); }

std::string badges_text(const BanditPlayers& players) {
    std::string text;
    for (const BanditPlayer& player : players.players)
        if (!player.badge.empty()) text += " " + player.label + ": " + player.badge;
    return text;
}

std::string least_regret_text(const std::vector<double>& regrets, const BanditPlayers& players,
                              const std::function<std::string(size_t)>& behind) {
    std::vector<std::pair<double, size_t>> order;
    for (size_t i = 0; i < regrets.size(); ++i) order.emplace_back(regrets[i], i);
    std::sort(order.begin(), order.end());
    order.resize(smaller<size_t>(order.size(), 3));
    return listed(order, [&](const auto& one) {
        const BanditPlayer& player = players.players[one.second];
        return fmt::format("{}{} {:.3g}{}", player.name, player.oracle ? " (oracle)" : "", one.first,
                           behind ? behind(one.second) : "");
    });
}

// ---- streams

std::vector<double> BanditCurves::finals(size_t player) const {
    return mapped(columns[player], [](const auto& row) { return row.back(); });
}

std::vector<double> mean_row(const BanditCurves::Rows& rows) {
    std::vector<double> mean(rows.empty() ? 0 : rows.front().size(), 0.0);
    for (const auto& row : rows)
        for (size_t i = 0; i < row.size(); ++i) mean[i] += row[i] / static_cast<double>(rows.size());
    return mean;
}

void FinalRegrets::say(Row& row) const {
    HistoryPlot& plot = row.plot("final_regret", game->final_title);
    plot.y("regret").from(0.0);
    plot.sparse_markers();
    plot.note("Mean over the environments so far; each line settles as more are added. Bands are over streams.");
    for (size_t i = 0; i < means.size(); ++i) {
        const BanditPlayer& player = game->players.players[i];
        row("final_" + player.id, player.label, "Regret after all rounds, mean over the stream's environments so far.",
            means[i])
            .line(plot, player.color)
            .dashed(player.dashed);
    }
}

BanditStream::BanditStream(const BanditStreamFields& fields, int seed_index, std::shared_ptr<const BanditGame> game)
    : SampledSeed(fields.seed, seed_index, fields.log_interval), game_(std::move(game)) {
    for (const BanditPlayer& player : game_->players.players) policies_.push_back(player.make());
    curves_.columns.resize(policies_.size() + 1);
}

void BanditStream::take_step() {
    const auto index = static_cast<uint32_t>(step_++);
    for (BanditCurves::Rows& column : curves_.columns) column.emplace_back();
    for (const BanditOptions& options : game_->worlds) {
        draw_bandit(options, seed(), index, world_);
        for (size_t i = 0; i < policies_.size(); ++i) {
            Stream random = policy_stream(seed(), index, game_->players.players[i].stream);
            play_bandit(world_, *policies_[i], random, play_);
            std::vector<double>& row = curves_.columns[i].back();
            if (game_->at.empty()) row.push_back(play_.regret.back());
            for (const int t : game_->at) row.push_back(t == 0 ? 0.0 : play_.regret[static_cast<size_t>(t) - 1]);
        }
        for (const double number : game_->beside(world_)) curves_.columns.back().back().push_back(number);
    }
}

FinalRegrets BanditStream::measure() {
    FinalRegrets regrets{game_.get(), {}};
    for (size_t i = 0; i < policies_.size(); ++i) regrets.means.push_back(mean_of(curves_.finals(i)));
    return regrets;
}

void BanditStream::state(Archive& archive) {
    const size_t count = curves_.columns.size(), width = game_->num_points();
    std::vector<double> all;
    for (const BanditCurves::Rows& column : curves_.columns)
        for (const auto& row : column) all.insert(all.end(), row.begin(), row.end());
    Array rows{{count, static_cast<size_t>(step()), width}, std::move(all)};
    archive("rows", rows);
    archive.require(rows.shape.size() == 3 && rows.shape[0] == count && rows.shape[2] == width, "rows",
                    fmt::format("is not of {} x environments x {}", count, width));
    if (!archive.loads()) return;
    all = as_doubles(rows);
    auto from = all.begin();
    for (BanditCurves::Rows& column : curves_.columns) {
        column.clear();
        for (size_t e = 0; e < rows.shape[1]; ++e, from += static_cast<std::ptrdiff_t>(width))
            column.emplace_back(from, from + static_cast<std::ptrdiff_t>(width));
    }
    resume_at(static_cast<int64_t>(rows.shape[1]));
}

BanditCurves curves_of(const std::vector<const BanditStream*>& streams, Snapshot& snapshot) {
    BanditCurves all;
    all.columns.resize(streams.front()->curves().columns.size());
    size_t most = 0;
    for (const BanditStream* stream : streams) most = larger(most, stream->curves().size());
    for (size_t e = 0; e < most; ++e)
        for (const BanditStream* stream : streams)
            for (size_t i = 0; i < all.columns.size() && e < stream->curves().size(); ++i)
                all.columns[i].push_back(stream->curves().columns[i][e]);
    snapshot.seed_word = "stream";
    snapshot.counted = {static_cast<int64_t>(all.size()), all.size() == 1 ? "environment" : "environments"};
    if (streams.size() > 1 && all.size() % streams.size() == 0)
        snapshot.counted.what += fmt::format(", {} in each of {} streams", all.size() / streams.size(), streams.size());
    return all;
}

void check_bandit_fields(const BanditOptions& world, const BanditPlayerFields& players) {
    const BanditPlayers found = players_of(world, players);
    if (found.players.empty())
        throw InputError("play_linucb: no algorithm plays. Switch at least one on. " + absent_text(found));
    check_bandit_world(world);
}

void check_bandit_world(const BanditOptions& world) {
    if (world.kind == BanditKind::abrupt && world.segments > world.rounds)
        throw InputError("segments: {} is more than rounds = {}. Lower it.", world.segments, world.rounds);
}

}  // namespace emergence
