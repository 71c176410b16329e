#pragma once
// Small value types for all folders: tables, named arrays, and the archive that saves and loads the members of an
// object. No Eigen here: the window includes this header.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace emergence {

/// A missing value: plots leave a gap, files leave the field empty.
inline constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

/// Part of a rule that does not hold.
struct Lack {
    std::string what;  // "P's corner"
    /// The measured number, and the number that the rule asks for; missing if there is none.
    double value = kMissing, needed = kMissing;
    bool more = true;  // whether the rule asks for more than `needed`, or for less
};

/// A dense row-major table of doubles.
struct Table {
    int rows = 0, columns = 0;
    std::vector<double> values;  // rows * columns

    Table() = default;
    Table(int r, int c, double fill = 0.0)
        : rows(r), columns(c), values(static_cast<size_t>(r) * static_cast<size_t>(c), fill) {}

    double& operator()(int row, int column) { return values[index(row, column)]; }
    double operator()(int row, int column) const { return values[index(row, column)]; }
    bool operator==(const Table&) const = default;

  private:
    size_t index(int row, int column) const {
        return static_cast<size_t>(row) * static_cast<size_t>(columns) + static_cast<size_t>(column);
    }
};

// Named arrays: the contents of an NPZ archive, and the form of an experiment's saved state.

/// A dense row-major array. `values` holds as many elements as the product of `shape` (1 for an empty shape).
struct Array {
    std::vector<size_t> shape;
    std::variant<std::vector<float>, std::vector<double>, std::vector<int64_t>, std::vector<uint64_t>> values;

    bool operator==(const Array&) const = default;
};

using ArrayMap = std::map<std::string, Array>;

/// The number of elements of an array of this shape. Throws InputError if it does not fit a size_t.
size_t element_count(const std::vector<size_t>& shape);
/// "2 x 9 x 31", for messages; "a single number" for an empty shape.
std::string shape_text(const std::vector<size_t>& shape);

/// The values, converted from their stored type to double.
std::vector<double> as_doubles(const Array& array);

/// `values` as an array of one dimension.
template <class T>
Array array_of(const std::vector<T>& values) {
    return {{values.size()}, values};
}

/// The bytes of a text as an array of numbers.
template <class Code>
Array codes_of(std::string_view text) {
    std::vector<Code> codes;
    for (const char c : text) codes.push_back(static_cast<unsigned char>(c));
    return array_of(codes);
}
/// The text back; nullopt if the array has another dimension or a number that is no byte.
std::optional<std::string> text_of_codes(const Array& array);

// One function for saving and loading: an object lists its members once, in state(Archive&), and the archive writes
// them to named arrays or reads them from there.

/// The members of a state, by the names of their arrays. While loading, all functions throw InputError with
/// "training state: array 'NAME' .." if the array is missing, has another size or type, or an entry that is not finite.
class Archive {
  public:
    static Archive saving(ArrayMap& saved) { return Archive(&saved, nullptr); }
    static Archive loading(const ArrayMap& stored) { return Archive(nullptr, &stored); }

    bool loads() const { return stored_ != nullptr; }
    /// Whether the state that is loaded has this array; states of earlier versions may lack it.
    bool has(const std::string& name) const { return loads() && stored_->contains(prefix_ + name); }

    /// Stores these numbers in one array, of the first number's type if that is float or double, otherwise of int64. A
    /// bool becomes 0 or 1.
    template <class... Numbers>
    requires(sizeof...(Numbers) > 0 && (std::is_arithmetic_v<Numbers> && ...)) void operator()(const std::string& name,
                                                                                               Numbers&... numbers) {
        using First = std::tuple_element_t<0, std::tuple<Numbers...>>;
        std::vector<std::conditional_t<std::is_floating_point_v<First>, First, int64_t>> values;
        (values.push_back(static_cast<typename decltype(values)::value_type>(numbers)), ...);
        exchange(name, values);
        size_t i = 0;
        if (loads()) (take(name, values[i++], numbers), ...);
    }
    /// A vector, of the standard library or a Mat, whose size the configuration determines.
    template <class Values>
    requires requires(Values& values) { values.begin(), values.data() + values.size(); }
    void operator()(const std::string& name, Values& values) {
        std::vector<std::remove_cvref_t<decltype(*values.data())>> flat(values.data(), values.data() + values.size());
        exchange(name, flat);
        if (loads()) std::copy(flat.begin(), flat.end(), values.data());
    }
    /// Any number of rows with `columns` numbers each, as an array of rows x columns. They need not be finite.
    void rows(const std::string& name, std::vector<std::vector<double>>& rows, size_t columns);
    /// An array of any shape and content: the caller checks what was loaded.
    void operator()(const std::string& name, Array& array);
    /// An object with its own state(); its arrays are called NAME.array.
    template <class Part>
    requires requires(Part& part, Archive& archive) { part.state(archive); }
    void operator()(const std::string& name, Part& part) {
        const std::string outer = std::exchange(prefix_, prefix_ + name + ".");
        part.state(*this);
        prefix_ = outer;
    }

    /// While loading, throws InputError with "training state: array 'NAME' WANTED" unless `holds`.
    void require(bool holds, const std::string& name, const std::string& wanted) const;
    /// While loading, throws InputError if there is an array for which nobody has asked.
    void require_all_asked() const;

  private:
    Archive(ArrayMap* saved, const ArrayMap* stored) : saved_(saved), stored_(stored) {}

    const Array& stored(const std::string& name) const;
    /// Saves the values, or replaces them by as many stored ones.
    template <class T>  // float, double or int64_t
    void exchange(const std::string& name, std::vector<T>& values);
    template <class Stored, class Number>
    void take(const std::string& name, Stored value, Number& number) const {
        if constexpr (std::is_same_v<Number, bool>)
            require(value == 0 || value == 1, name, "has a flag that is neither 0 nor 1");
        number = static_cast<Number>(value);
    }

    ArrayMap* saved_;
    const ArrayMap* stored_;
    mutable std::set<std::string> asked_;  // names in stored_
    std::string prefix_;
};

/// Base of a class `Self` with state(Archive&): saves and loads it.
template <class Self>
class Archived {
  public:
    ArrayMap save() const {
        ArrayMap saved;
        Archive archive = Archive::saving(saved);
        const_cast<Self&>(static_cast<const Self&>(*this)).state(archive);  // saving only reads the members
        return saved;
    }
    /// Resumes from save(). Throws InputError, which names the array, if `stored` lacks an array, has one that does not
    /// fit, or one that state() does not list. Then nothing has changed.
    void load(const ArrayMap& stored) {
        auto& self = static_cast<Self&>(*this);
        const ArrayMap before = save();
        Archive archive = Archive::loading(stored), back = Archive::loading(before);
        try {
            self.state(archive);
            archive.require_all_asked();
        } catch (...) {
            self.state(back);
            throw;
        }
    }
};

}  // namespace emergence
