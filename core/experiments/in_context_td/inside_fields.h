#pragma once
// Settings of experiment "td" for one prompt: the drawing of its world, and the microscope, which shows the
// prompt layer by layer. All are live; none affects training.

#include <string>
#include <vector>

#include "core/settings/fields.h"

namespace emergence {

/// The prompt, the world and the layer that are shown.
struct TdInsideConfig {
    std::string look_inside = "nothing";
    int watched_task = 0;
    std::string world_file;
    std::string world_edits;
    int world_state = 1;
    int shown_seed = 0;
    int layer = 0;
    std::string microscope_of = "learned";

    bool world() const { return look_inside == "world" || look_inside == "both"; }
    bool microscope() const { return look_inside == "microscope" || look_inside == "both"; }
};

namespace detail {

inline FieldInfo inside_field(const char* name, const char* label, const char* help) {
    FieldInfo info;
    info.name = name;
    info.label = label;
    info.help = help;
    info.group = "look inside";
    info.applies = Applies::live;
    return info;
}

}  // namespace detail

/// Visits these settings.
template <class Config, class Visitor>
void visit_inside_fields(Config& c, Visitor&& visit) {
    using detail::inside_field;
    const std::vector<ActsWhile> inside = {{"look_inside", {"nothing"}, true}};
    FieldInfo what = inside_field(
        "look_inside", "look inside",
        "world: one MRP, drawn, with every state's value beside the true one; drag a probability, reward or "
        "feature and the values respond, weights frozen. microscope: its prompt, layer by layer. Training "
        "notices none of it.");
    what.choices = {"nothing", "world", "microscope", "both"};
    what.acts_while = {{"task", {"boyan", "loop"}}, {"loss", {"average_reward"}, true}};
    visit(what, c.look_inside);
    FieldInfo task = inside_field(
        "watched_task", "task drawn",
        "Which task of the held-out world is looked at; of CartPole the one that is drawn: others have other "
        "physics, policies and features.");
    task.maximum = 999;
    visit(task, c.watched_task);
    FieldInfo file = inside_field(
        "world_file", "own MRP",
        "Path of a TOML or CSV file with an MRP of your own, or the name of one in assets/worlds; empty: a "
        "held-out task. Its features are as many as the network's. A file can also be dropped on the "
        "window.");
    file.acts_while = inside;
    visit(file, c.world_file);
    FieldInfo edits = inside_field(
        "world_edits", "edits",
        "What was changed in the world, states counted from 1: p2,3=0.7 (probability from 2 to 3; what "
        "remains "
        "is shared by the row's others in their proportion), r1=0.5 (reward), phi1,2=-1 (feature 2 of state "
        "1). Handles in the drawing write here.");
    edits.acts_while = inside;
    visit(edits, c.world_edits);
    FieldInfo state = inside_field(
        "world_state", "state",
        "Whose transitions and features can be dragged, and the microscope's query. A click on a state "
        "chooses it.");
    state.minimum = 1;
    state.maximum = 64;
    state.acts_while = inside;
    visit(state, c.world_state);
    FieldInfo seed = inside_field("shown_seed", "seed drawn",
                                  "Whose values the world's bars show, counted from 0; marks beside them are "
                                  "the other seeds'.");
    seed.maximum = 255;
    seed.acts_while = {{"look_inside", {"world", "both"}}};
    visit(seed, c.shown_seed);
    FieldInfo layer =
        inside_field("layer", "microscope: layer",
                     "After how many layers the microscope looks: 0 is the prompt itself. The up and "
                     "down keys change it if no setting is focused.");
    layer.maximum = 60;
    layer.acts_while = {{"look_inside", {"microscope", "both"}}, {"model", {"attention"}}};
    visit(layer, c.layer);
    FieldInfo of = inside_field("microscope_of", "microscope: of",
                                "learned: the network as it is trained. constructed: Theorem 1's weights "
                                "with the step size that batch "
                                "TD is trained to, whose implicit weights are batch TD's iterates.");
    of.choices = {"learned", "constructed"};
    of.acts_while = layer.acts_while;
    visit(of, c.microscope_of);
}

}  // namespace emergence
