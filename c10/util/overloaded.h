#pragma once

// One visitor of several lambdas: std::visit(c10::overloaded([](int) {…}, [](float) {…}), variant).

namespace c10 {

template <class... Ts>
struct overloaded : Ts... {
  using Ts::operator()...;
};
template <class... Ts>
overloaded(Ts...) -> overloaded<Ts...>;

}  // namespace c10
