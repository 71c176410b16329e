#pragma once
// Which experiments belong to which paper.

#include <string>
#include <vector>

namespace emergence {

struct Paper {
    std::string name;  // as `reproduce` takes it
    std::string citation;
    std::vector<std::string> experiments;  // by the registry's names
};

/// In the registry's order.
const std::vector<Paper>& papers();

}  // namespace emergence
