#include "core/pictures/formula.h"

#include <algorithm>
#include <limits>

namespace emergence {

std::vector<size_t> terms_of_block(const Formula& formula, const BlockReference& block) {
    std::vector<size_t> terms;
    size_t fewest = std::numeric_limits<size_t>::max();
    for (size_t i = 0; i < formula.terms.size(); ++i) {
        const std::vector<BlockReference>& blocks = formula.terms[i].blocks;
        if (std::find(blocks.begin(), blocks.end(), block) == blocks.end() || blocks.size() > fewest)
            continue;
        if (blocks.size() < fewest) terms.clear();
        fewest = blocks.size();
        terms.push_back(i);
    }
    return terms;
}

}  // namespace emergence
