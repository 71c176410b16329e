#include "core/experiments/bandits/bandit_players.h"

#include <fmt/format.h>

#include "core/base/statistics.h"
#include "core/base/text.h"
#include "core/experiments/bandits/bandit_network.h"

namespace emergence {
namespace {

bool has_constants(BanditAlgorithm algorithm) {
    using enum BanditAlgorithm;
    return algorithm != uniform && algorithm != cosine_thompson;
}

std::vector<BanditAlgorithm> chosen(const BanditPlayerFields& fields) {
    using enum BanditAlgorithm;
    const bool practical = fields.master_constants != "theory", theory = fields.master_constants != "practical";
    const std::array<std::pair<BanditAlgorithm, bool>, 11> all = {{
        {linucb, fields.play_linucb},
        {thompson, fields.play_thompson},
        {sliding_window, fields.play_sliding_window},
        {discounted, fields.play_discounted},
        {master_linucb, fields.play_master_linucb && practical},
        {master_thompson, fields.play_master_thompson && practical},
        {master_linucb_theory, fields.play_master_linucb && theory},
        {master_thompson_theory, fields.play_master_thompson && theory},
        {oracle_restart, fields.play_oracle_restart},
        {cosine_thompson, fields.play_cosine_thompson},
        {uniform, fields.play_random},
    }};
    std::vector<BanditAlgorithm> algorithms;
    for (const auto& [algorithm, plays] : all)
        if (plays) algorithms.push_back(algorithm);
    return algorithms;
}

BanditPlayer classical_player(BanditAlgorithm algorithm, const BanditConstants& constants, bool tuned) {
    const BanditAlgorithmInfo& info = info_of(algorithm);
    const BanditLook look = look_of(algorithm);
    BanditPlayer player;
    player.id = info.name;
    player.name = player.label = info.label;
    player.color = look.color;
    player.dashed = look.dashed;
    player.stream = info.stream;
    player.make = [algorithm, constants] { return make_policy(algorithm, constants); };
    player.oracle = info.oracle;
    if (info.oracle) {
        player.label += " (oracle)";
        player.badge = algorithm == BanditAlgorithm::oracle_restart
                           ? "It is told when the environment changes."
                           : "It is told the cosine and the distribution that w* is drawn from.";
    } else if (tuned && has_constants(algorithm)) {
        player.label += " (tuned)";
        player.badge = "Its constants were tuned on a validation stream of this kind of environment.";
    }
    return player;
}

}  // namespace

// Each algorithm has its colour and mark; oracles and the theory's constants are dashed. The transformer has number 6.
BanditLook look_of(BanditAlgorithm algorithm) {
    using enum BanditAlgorithm;
    static const std::map<BanditAlgorithm, BanditLook> looks = {{uniform, {7, false}},
                                                                {linucb, {0, false}},
                                                                {thompson, {1, false}},
                                                                {sliding_window, {2, false}},
                                                                {discounted, {3, false}},
                                                                {master_linucb, {4, false}},
                                                                {master_thompson, {5, false}},
                                                                {master_linucb_theory, {8, true}},
                                                                {master_thompson_theory, {9, true}},
                                                                {oracle_restart, {10, true}},
                                                                {cosine_thompson, {11, true}}};
    return looks.at(algorithm);
}

BanditConstants constants_of(const BanditOptions& world, const BanditPlayerFields& fields) {
    if (fields.constants == "tuned") return tuned_constants(world.kind);
    return fields;
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
    const BanditKind kind = world.kind;
    const BanditConstants constants = constants_of(world, fields);
    BanditPlayers result;
    for (const BanditAlgorithm algorithm : chosen(fields)) {
        if (applies_to(algorithm, kind))
            result.players.push_back(classical_player(algorithm, constants, fields.constants == "tuned"));
        else
            result.absent.push_back(info_of(algorithm).label + " plays only where there is a cosine.");
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
        snapshot.field_ranges = {
            {amount_of(world).field, players.trained->label, players.trained->from, players.trained->to}};
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
    return "least regret " + listed(order, [&](const auto& one) {
               return fmt::format("{} {:.3g}{}", in_sentence(players.players[one.second]), one.first,
                                  behind ? behind(one.second) : "");
           });
}

}  // namespace emergence
