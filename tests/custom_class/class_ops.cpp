// Classes, dicts and SymInt in operators, as extensions of PyTorch write them.

#include <torch/torch.h>

#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

struct Table : torch::CustomClassHolder {
  explicit Table(c10::Dict<std::string, at::Tensor> rows) : rows(std::move(rows)) {}
  at::Tensor get(const std::string& name) const { return rows.at(name); }
  void put(const std::string& name, at::Tensor row) { rows.insert_or_assign(name, std::move(row)); }
  int64_t size() const { return static_cast<int64_t>(rows.size()); }
  c10::Dict<std::string, at::Tensor> rows;
  double scale = 1;
};

struct Number : torch::CustomClassHolder {
  explicit Number(int64_t value) : value(value) {}
  int64_t magnitude() const { return value < 0 ? -value : value; }
  int64_t shifted(int64_t by) const { return value << by; }
  bool differs(const c10::intrusive_ptr<Number>& other) const { return value != other->value; }
  int64_t value;
};

// The rows times the scale, in a dict of the same order.
c10::Dict<std::string, at::Tensor> scaled(const c10::intrusive_ptr<Table>& table) {
  c10::Dict<std::string, at::Tensor> out;
  for (const auto& row : table->rows) out.insert(row.key(), row.value() * table->scale);
  return out;
}

c10::Dict<int64_t, double> count(const std::vector<int64_t>& keys,
                                 const std::optional<c10::Dict<int64_t, double>>& start) {
  c10::Dict<int64_t, double> out = start.has_value() ? start->copy() : c10::Dict<int64_t, double>();
  for (const int64_t key : keys) {
    out.insert_or_assign(key, (out.contains(key) ? out.at(key) : 0.0) + 1);
  }
  return out;
}

at::Tensor crop(const at::Tensor& x, c10::SymInt rows, c10::SymIntArrayRef more) {
  c10::SymInt n = rows;
  for (const c10::SymInt& other : more) n += other;
  TORCH_SYM_CHECK(n.sym_le(x.sym_size(0)), "crop: ", n, " rows of ", x.sym_size(0));
  return x.narrow(0, 0, n.guard_int(__FILE__, __LINE__)).clone();
}

struct Crop : torch::autograd::Function<Crop> {
  static at::Tensor forward(torch::autograd::AutogradContext* ctx, const at::Tensor& x,
                            c10::SymInt rows) {
    ctx->saved_data["sizes"] = x.sym_sizes();
    ctx->saved_data["rows"] = rows;
    at::AutoDispatchBelowADInplaceOrView guard;
    return crop(x, rows, {});
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* ctx,
                                                 torch::autograd::variable_list grads) {
    auto sizes = ctx->saved_data["sizes"].toList();
    const c10::SymInt rows = ctx->saved_data["rows"].toSymInt();
    at::Tensor grad = at::zeros({sizes[0].get().toSymInt().expect_int(), sizes[1].get().toInt()},
                                grads[0].options());
    grad.narrow(0, 0, rows.expect_int()).copy_(grads[0]);
    return {grad, at::Tensor()};
  }
};

void fail(int64_t kind) {
  if (kind == 0) throw std::out_of_range("out_of_range");
  if (kind == 1) throw std::invalid_argument("invalid_argument");
  if (kind == 2) throw std::domain_error("domain_error");
  if (kind == 3) throw std::length_error("length_error");
  if (kind == 4) throw std::range_error("range_error");
  if (kind == 5) throw std::overflow_error("overflow_error");
  throw std::runtime_error("runtime_error");
}

TORCH_LIBRARY(class_ops, m) {
  m.class_<Table>("Table")
      .def(torch::init<c10::Dict<std::string, at::Tensor>>(), "Rows by name.")
      .def("get", &Table::get)
      .def("put", &Table::put, "Adds or replaces a row.", {torch::arg("name"), torch::arg("row")})
      .def("__len__", &Table::size)
      .def("fail", [](const c10::intrusive_ptr<Table>&, int64_t kind) { fail(kind); })
      .def_static("fails", &fail)
      .def("both", [](const c10::intrusive_ptr<Table>& self,
                      const std::string& name) { return std::make_tuple(self, self->get(name)); })
      .def_static("empty",
                  [] { return c10::make_intrusive<Table>(c10::Dict<std::string, at::Tensor>()); })
      .def_readwrite("scale", &Table::scale)
      .def_property("names",
                    [](const c10::intrusive_ptr<Table>& self) {
                      std::vector<std::string> out;
                      for (const auto& row : self->rows) out.push_back(row.key());
                      return out;
                    })
      .def_pickle(
          [](const c10::intrusive_ptr<Table>& self) {
            return std::make_tuple(self->rows, self->scale);
          },
          [](std::tuple<c10::Dict<std::string, at::Tensor>, double> state) {
            auto out = c10::make_intrusive<Table>(std::get<0>(state));
            out->scale = std::get<1>(state);
            return out;
          });
  m.class_<Number>("Number")
      .def(torch::init<int64_t>())
      .def("__abs__", &Number::magnitude)
      .def("__lshift__", &Number::shifted)
      .def("__ne__", &Number::differs)
      .def("__iadd__",
           [](const c10::intrusive_ptr<Number>& self, int64_t more) {
             self->value += more;
             return self;
           })
      .def_readonly("value", &Number::value);
  m.def("scaled(__torch__.torch.classes.class_ops.Table table) -> Dict(str, Tensor)", &scaled);
  m.def("count(int[] keys, Dict(int, float)? start=None) -> Dict(int, float)", &count);
  m.def("fail(int kind) -> ()", &fail);
  m.def("crop(Tensor x, SymInt rows, SymInt[] more=[]) -> Tensor", &crop);
  m.def("crop_grad(Tensor x, SymInt rows) -> Tensor",
        [](const at::Tensor& x, c10::SymInt rows) { return Crop::apply(x, rows); });
  m.def("fresh", [] { return c10::make_intrusive<Table>(c10::Dict<std::string, at::Tensor>()); });
}

}  // namespace
