#include "core/files/array_readers.h"

namespace emergence {

size_t bytes_in_memory(const Array& array) {
    return std::visit([](const auto& values) { return values.size() * sizeof(values[0]); }, array.values);
}

ArrayMap read_all(const ArrayReaders& readers, size_t limit) {
    ArrayMap arrays;
    for (const auto& [name, read] : readers) {
        Array array = read(limit);
        limit -= bytes_in_memory(array);
        arrays.emplace_hint(arrays.end(), name, std::move(array));
    }
    return arrays;
}

}  // namespace emergence
