#include "core/runtime/weights_file.h"

#include "core/io/embedded_settings.h"

namespace emergence {

ArrayMap weights_file(const Snapshot& snapshot) {
    ArrayMap arrays = snapshot.weights;
    arrays[kSettingsKey] =
        settings_array(settings_to_toml(snapshot.experiment, snapshot.settings, {"", snapshot.step}));
    return arrays;
}

}  // namespace emergence
