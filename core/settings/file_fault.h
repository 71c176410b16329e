#pragma once
// What is wrong in a file, for readers that tell all of it at once.

#include <cstdint>
#include <string>

namespace emergence {

struct FileFault {
    /// 0 if it has none.
    uint32_t line = 0;
    std::string reason;
    bool operator==(const FileFault&) const = default;
};
/// "my_lesson.toml:12: until: …"
std::string fault_text(const std::string& source, const FileFault& fault);

}  // namespace emergence
