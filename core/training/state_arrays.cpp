#include "core/training/state_arrays.h"

#include <algorithm>

namespace emergence {

void require_array(bool holds, const std::string& name, const char* wanted) {
    if (!holds) throw InputError("training state: array '" + name + "' " + wanted);
}

void require_known(const ArrayMap& state, const ArrayMap& own) {
    for (const auto& [name, array] : state)
        require_array(own.count(name) != 0, name, "belongs to no training");
}

template <class T>
void save_adam(const std::string& name, const Adam<T>& adam, ArrayMap& state) {
    state[name + ".first_moment"] = array_of(adam.first_moment);
    state[name + ".second_moment"] = array_of(adam.second_moment);
    state[name + ".steps"] = array_of(std::vector<int64_t>{adam.steps});
}

template <class T>
void read_adam(const ArrayMap& state, const std::string& name, Adam<T>& adam) {
    std::vector<int64_t> steps(1);
    read_array(state, name + ".first_moment", adam.first_moment);
    read_array(state, name + ".second_moment", adam.second_moment);
    read_array(state, name + ".steps", steps);
    require_array(steps[0] >= 0, name + ".steps", "is negative");
    const auto& squares = adam.second_moment;
    require_array(std::none_of(squares.begin(), squares.end(), [](T v) { return v < T(0); }),
                  name + ".second_moment", "has a negative entry");
    adam.steps = steps[0];
}

template void save_adam(const std::string&, const Adam<float>&, ArrayMap&);
template void save_adam(const std::string&, const Adam<double>&, ArrayMap&);
template void read_adam(const ArrayMap&, const std::string&, Adam<float>&);
template void read_adam(const ArrayMap&, const std::string&, Adam<double>&);

}  // namespace emergence
