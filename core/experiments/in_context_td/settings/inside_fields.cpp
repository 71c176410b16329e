#include "core/experiments/in_context_td/settings/inside_fields.h"

namespace emergence {

void TdInsideConfig::fields(Fields& f) {
    f.group("look inside");
    f(look_inside, "look_inside", "look inside",
      "world: one MRP, drawn, with every state's value beside the true one; "
      "drag a probability, reward or feature and the values respond, weights frozen. "
      "microscope: its prompt, layer by layer. Training notices none of it.")
        .choices({"nothing", "world", "microscope", "both"})
        .live()
        .acts_while("task", {"boyan", "loop"})
        .idle_while("loss", {"average_reward"});
    f(watched_task, "watched_task", "task drawn",
      "Which task of the held-out world is looked at; of CartPole the one that is drawn: "
      "others have other physics, policies and features.")
        .range(0, 999)
        .live();
    f(world_file, "world_file", "own MRP",
      "Path of a TOML or CSV file with an MRP of your own, or the name of one in assets/worlds; "
      "empty: a held-out task. Its features are as many as the network's. "
      "A file can also be dropped on the window.")
        .path()
        .live()
        .idle_while("look_inside", {"nothing"});
    f(world_edits, "world_edits", "edits",
      "What was changed in the world, states counted from 1: p2,3=0.7 "
      "(probability from 2 to 3; what remains is shared by the row's others in their proportion), "
      "r1=0.5 (reward), phi1,2=-1 (feature 2 of state 1). Handles in the drawing write here.")
        .live()
        .idle_while("look_inside", {"nothing"});
    f(world_state, "world_state", "state",
      "Whose transitions and features can be dragged, and the microscope's query. "
      "A click on a state chooses it.")
        .range(1, 64)
        .live()
        .idle_while("look_inside", {"nothing"});
    f(shown_seed, "shown_seed", "seed drawn",
      "Whose values the world's bars show, counted from 0; marks beside them are the other seeds'.")
        .range(0, 255)
        .live()
        .acts_while("look_inside", {"world", "both"});
    f(layer, "layer", "microscope: layer",
      "After how many layers the microscope looks: 0 is the prompt itself. "
      "The up and down keys change it if no setting is focused.")
        .range(0, 60)
        .live()
        .acts_while("look_inside", {"microscope", "both"})
        .acts_while("model", {"attention"});
    f(microscope_of, "microscope_of", "microscope: of",
      "learned: the network as it is trained. constructed: Theorem 1's weights with the step size "
      "that batch TD is trained to, whose implicit weights are batch TD's iterates.")
        .choices({"learned", "constructed"})
        .live()
        .acts_while("look_inside", {"microscope", "both"})
        .acts_while("model", {"attention"});
}

}  // namespace emergence
