// Bessel functions and Airy's function Ai, in vectors of doubles for every type of element.
//
// Bessel functions are those of Cephes (S. L. Moshier, "Methods and Programs for Mathematical
// Functions", 1989): rational functions near 0, Hankel's expansion beyond 5, and Chebyshev series
// for the modified ones. Section numbers are those of the Digital Library of Mathematical Functions
// (dlmf.nist.gov). A polynomial or a series begins with its highest power.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/Dispatch.h>
#include <ATen/OpMathType.h>
#include <ATen/TensorIterator.h>
#include <ATen/cpu/vec/vec.h>
#include <ATen/native/SpecialBessel.h>
#include <ATen/native/UnaryOps.h>
#include <ATen/native/cpu/BufferedVectors.h>
#include <ATen/native/cpu/Formulas.h>
#include <c10/core/ScalarType.h>

#include <cstddef>
#include <iterator>
#include <limits>
#include <numbers>
#include <type_traits>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

using V = vec::Vectorized<double>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kSqrtTwoOverPi = 0.79788456080286535588;
constexpr double kTwoOverPi = 0.63661977236758134308;
constexpr double kQuarterPi = std::numbers::pi / 4;

// The first of the coefficients that a float may show: they grow up to the last one.
template <size_t n>
constexpr size_t first_of_float(const double (&c)[n]) {
  size_t i = 0;
  while (i + 1 < n && c[i] < 1e-9 && c[i] > -1e-9) ++i;
  return i;
}

// c[n - 1] / 2 + the sum of c[n - 1 - k] T_k(x / 2), by Clenshaw's recurrence.
template <const auto& c, typename T>
vec::Vectorized<T> chebyshev_series(const vec::Vectorized<T>& x) {
  using Vec = vec::Vectorized<T>;
  constexpr size_t kFirst = std::is_same_v<T, float> ? first_of_float(c) : 0;
  Vec last(T(0));
  Vec sum(static_cast<T>(c[kFirst]));
  Vec before(T(0));
  for (size_t i = kFirst + 1; i < std::size(c); ++i) {
    before = last;
    last = sum;
    sum = fmadd(x, last, Vec(static_cast<T>(c[i])) - before);
  }
  return (sum - before) * Vec(T(0.5));
}

// The logarithm of a number that may be 0 or below, where the vectors' own is slow.
V logarithm(const V& x) {
  const V positive = x > V(0.0);
  const V otherwise = select(V(x == V(0.0)), V(-kInfinity), V(kNaN));
  return select(positive, select(positive, x, V(1.0)).log(), otherwise);
}

template <typename T>
vec::Vectorized<T> with_sign_of(const vec::Vectorized<T>& x, const vec::Vectorized<T>& value) {
  using Vec = vec::Vectorized<T>;
  return select(Vec(x < Vec(T(0))), Vec(-value), value);
}

// ---- J and Y of order 0 and 1

constexpr double kJ0Near[] = {-4794432209.782018, 1956174919465.5657, -249248344360967.72,
                              9708622510473064.0};
constexpr double kJ0NearUnder[] = {1.0,
                                   499.563147152651,
                                   173785.4016763747,
                                   48440965.83399621,
                                   11185553704.535683,
                                   2112775201154.892,
                                   310518229857422.56,
                                   3.1812195594320496e+16,
                                   1.7108629408104315e+18};
constexpr double kJ0Cosine[] = {0.0007969367292973471,
                                0.08283523921074408,
                                1.239533716464143,
                                5.447250030587687,
                                8.74716500199817,
                                5.303240382353949,
                                1.0};
constexpr double kJ0CosineUnder[] = {0.0009244088105588637,
                                     0.08562884743544745,
                                     1.2535274390105895,
                                     5.470977403304171,
                                     8.761908832370695,
                                     5.306052882353947,
                                     1.0};
constexpr double kJ0Sine[] = {-0.011366383889846916, -1.2825271867050931, -19.553954425773597,
                              -93.20601521237683,    -177.68116798048806, -147.07750515495118,
                              -51.41053267665993,    -6.050143506007285};
constexpr double kJ0SineUnder[] = {1.0,
                                   64.3178256118178,
                                   856.4300259769806,
                                   3882.4018360540163,
                                   7240.467741956525,
                                   5930.727011873169,
                                   2062.0933166032783,
                                   242.0057402402914};
constexpr double kY0Near[] = {15592.436785523574,     -14663929.59039716,     5435264770.518765,
                              -982136065717.9115,     87590639439536.7,       -3466283033847297.0,
                              4.4273326857256984e+16, -1.8495080043698668e+16};
constexpr double kY0NearUnder[] = {1.0,
                                   1041.2835366425984,
                                   626107.330137135,
                                   268919633.39381415,
                                   86400248710.3935,
                                   20297961275010.555,
                                   3171577528429750.5,
                                   2.5059625617265306e+17};
constexpr double kJ0Zero1 = 5.78318596294678452118;  // The squares of the first two zeros.
constexpr double kJ0Zero2 = 30.4712623436620863991;

constexpr double kJ1Near[] = {-899971225.7055594, 452228297998.19403, -72749424522181.83,
                              3682957328638529.0};
constexpr double kJ1NearUnder[] = {1.0,
                                   620.8364781180543,
                                   256987.25675774884,
                                   83514679.14319493,
                                   22151159547.97925,
                                   4749141220799.914,
                                   784369607876235.9,
                                   8.952223361846274e+16,
                                   5.322786203326801e+18};
constexpr double kJ1Cosine[] = {0.0007621256162081731,
                                0.07313970569409176,
                                1.1271960812968493,
                                5.112079511468076,
                                8.424045901417724,
                                5.214515986823615,
                                1.0};
constexpr double kJ1CosineUnder[] = {0.0005713231280725487,
                                     0.06884559087544954,
                                     1.105142326340617,
                                     5.073863861286015,
                                     8.399855543276042,
                                     5.209828486823619,
                                     1.0};
constexpr double kJ1Sine[] = {0.05108625947501766, 4.982138729512334, 75.82382841325453,
                              366.7796093601508,   710.8563049989261, 597.4896124006136,
                              211.68875710057213,  25.207020585802372};
constexpr double kJ1SineUnder[] = {1.0,
                                   74.23732770356752,
                                   1056.4488603826283,
                                   4986.410583376536,
                                   9562.318924047562,
                                   7997.041604473507,
                                   2826.1927851763908,
                                   336.0936078106983};
constexpr double kY1Near[] = {1263204747.9017804,  -647355876379.1603,    114509511541823.73,
                              -8127702555013251.0, 2.024394757135949e+17, -7.788771962659501e+17};
constexpr double kY1NearUnder[] = {1.0,
                                   594.3015923461282,
                                   235564.09294306856,
                                   73481194.44597217,
                                   18760131610.870617,
                                   3882312774962.3857,
                                   620557727146953.8,
                                   6.871410873553005e+16,
                                   3.9727060811656064e+18};
constexpr double kJ1Zero1 = 14.6819706421238932572;
constexpr double kJ1Zero2 = 49.2184563216946036703;

// Hankel's expansion (10.17.3, 10.17.4): J or Y at y, whose phase is y - (order / 2 + 1 / 4) pi.
template <bool kSecondKind, int kOrder>
V hankel(const V& y) {
  const V s = V(25.0) / (y * y);
  V p;
  V q;
  if constexpr (kOrder == 0) {
    p = horner(kJ0Cosine, s) / horner(kJ0CosineUnder, s);
    q = horner(kJ0Sine, s) / horner(kJ0SineUnder, s);
  } else {
    p = horner(kJ1Cosine, s) / horner(kJ1CosineUnder, s);
    q = horner(kJ1Sine, s) / horner(kJ1SineUnder, s);
  }
  const V phase = y - V((2 * kOrder + 1) * kQuarterPi);
  const V w = q * V(5.0) / y;
  const V sine = phase.sin();
  const V cosine = phase.cos();
  const V wave = kSecondKind ? p * sine + w * cosine : p * cosine - w * sine;
  return wave * V(kSqrtTwoOverPi) / y.sqrt();
}

V bessel_j0(const V& x) {
  const V y = x.abs();
  const V z = y * y;
  return piecewise(
      y, 5,
      [&] {
        const V quotient = horner(kJ0Near, z) / horner(kJ0NearUnder, z);
        const V product = (z - V(kJ0Zero1)) * (z - V(kJ0Zero2)) * quotient;
        return select(V(y < V(1e-5)), V(V(1.0) - z * V(0.25)), product);
      },
      [&] { return hankel<false, 0>(y); });
}

V bessel_j1(const V& x) {
  const V y = x.abs();
  const V z = y * y;
  return piecewise(
      y, 5,
      [&] {
        const V quotient = horner(kJ1Near, z) / horner(kJ1NearUnder, z);
        return x * quotient * (z - V(kJ1Zero1)) * (z - V(kJ1Zero2));
      },
      [&] { return with_sign_of(x, hankel<false, 1>(y)); });
}

// The logarithm makes what is negative no number, and 0 infinite.
V bessel_y0(const V& x) {
  return piecewise(
      x, 5,
      [&] {
        const V z = x * x;
        const V rational = horner(kY0Near, z) / horner(kY0NearUnder, z);
        return fmadd(V(V(kTwoOverPi) * logarithm(x)), bessel_j0(x), rational);
      },
      [&] { return hankel<true, 0>(x); });
}

V bessel_y1(const V& x) {
  return piecewise(
      x, 5,
      [&] {
        const V z = x * x;
        const V rational = x * horner(kY1Near, z) / horner(kY1NearUnder, z);
        const V singular = V(kTwoOverPi) * (bessel_j1(x) * logarithm(x) - V(1.0) / x);
        return select(V(x == V(0.0)), V(-kInfinity), V(rational + singular));
      },
      [&] { return hankel<true, 1>(x); });
}

// ---- I and K of order 0 and 1; `e` marks those times exp(-|x|) and exp(x)

constexpr double kI0Near[] = {
    -4.4153416464793395e-18, 3.3307945188222384e-17, -2.431279846547955e-16, 1.715391285555133e-15,
    -1.1685332877993451e-14, 7.676185498604936e-14,  -4.856446783111929e-13, 2.95505266312964e-12,
    -1.726826291441556e-11,  9.675809035373237e-11,  -5.189795601635263e-10, 2.6598237246823866e-09,
    -1.300025009986248e-08,  6.046995022541919e-08,  -2.670793853940612e-07, 1.1173875391201037e-06,
    -4.4167383584587505e-06, 1.6448448070728896e-05, -5.754195010082104e-05, 0.00018850288509584165,
    -0.0005763755745385824,  0.0016394756169413357,  -0.004324309995050576,  0.010546460394594998,
    -0.02373741480589947,    0.04930528423967071,    -0.09490109704804764,   0.17162090152220877,
    -0.3046826723431984,     0.6767952744094761};
constexpr double kI0Far[] = {
    -7.233180487874754e-18,  -4.830504485944182e-18,  4.46562142029676e-17,
    3.461222867697461e-17,   -2.8276239805165836e-16, -3.425485619677219e-16,
    1.7725601330565263e-15,  3.8116806693526224e-15,  -9.554846698828307e-15,
    -4.150569347287222e-14,  1.54008621752141e-14,    3.8527783827421426e-13,
    7.180124451383666e-13,   -1.7941785315068062e-12, -1.3215811840447713e-11,
    -3.1499165279632416e-11, 1.1889147107846439e-11,  4.94060238822497e-10,
    3.3962320257083865e-09,  2.266668990498178e-08,   2.0489185894690638e-07,
    2.8913705208347567e-06,  6.889758346916825e-05,   0.0033691164782556943,
    0.8044904110141088};
constexpr double kI1Near[] = {
    2.7779141127610464e-18,  -2.111421214358166e-17,  1.5536319577362005e-16,
    -1.1055969477353862e-15, 7.600684294735408e-15,   -5.042185504727912e-14,
    3.223793365945575e-13,   -1.9839743977649436e-12, 1.1736186298890901e-11,
    -6.663489723502027e-11,  3.625590281552117e-10,   -1.8872497517228294e-09,
    9.381537386495773e-09,   -4.445059128796328e-08,  2.0032947535521353e-07,
    -8.568720264695455e-07,  3.4702513081376785e-06,  -1.3273163656039436e-05,
    4.781565107550054e-05,   -0.00016176081582589674, 0.0005122859561685758,
    -0.0015135724506312532,  0.004156422944312888,    -0.010564084894626197,
    0.024726449030626516,    -0.05294598120809499,    0.1026436586898471,
    -0.17641651835783406,    0.25258718644363365};
constexpr double kI1Far[] = {
    7.517296310842105e-18,   4.414348323071708e-18,   -4.6503053684893586e-17,
    -3.209525921993424e-17,  2.96262899764595e-16,    3.3082023109209285e-16,
    -1.8803547755107825e-15, -3.8144030724370075e-15, 1.0420276984128802e-14,
    4.272440016711951e-14,   -2.1015418427726643e-14, -4.0835511110921974e-13,
    -7.198551776245908e-13,  2.0356285441470896e-12,  1.4125807436613782e-11,
    3.2526035830154884e-11,  -1.8974958123505413e-11, -5.589743462196584e-10,
    -3.835380385964237e-09,  -2.6314688468895196e-08, -2.512236237870209e-07,
    -3.882564808877691e-06,  -0.00011058893876262371, -0.009761097491361469,
    0.7785762350182801};
constexpr double kK0Near[] = {1.374465435613523e-16, 4.25981614279661e-14,   1.0349695257633842e-11,
                              1.904516377220209e-09, 2.5347910790261494e-07, 2.286212103119452e-05,
                              0.001264615411446926,  0.0359799365153615,     0.3442898999246285,
                              -0.5353273932339028};
constexpr double kK0Far[] = {
    5.300433772686263e-18,   -1.6475804301524212e-17, 5.2103915050390274e-17,
    -1.678231096805412e-16,  5.512055978524319e-16,   -1.848593377343779e-15,
    6.3400764774050706e-15,  -2.2275133269916698e-14, 8.032890775363575e-14,
    -2.9800969231727303e-13, 1.140340588208475e-12,   -4.514597883373944e-12,
    1.8559491149547177e-11,  -7.957489244477107e-11,  3.577397281400301e-10,
    -1.69753450938906e-09,   8.574034017414225e-09,   -4.660489897687948e-08,
    2.766813639445015e-07,   -1.8317555227191195e-06, 1.39498137188765e-05,
    -0.00012849549581627802, 0.0015698838857300533,   -0.0314481013119645,
    2.4403030820659555};
constexpr double kK1Near[] = {
    -7.023863479386288e-18,  -2.427449850519366e-15, -6.666901694199329e-13,
    -1.4114883926335278e-10, -2.213387630734726e-08, -2.4334061415659684e-06,
    -0.0001730288957513052,  -0.006975723859639864,  -0.12261118082265715,
    -0.3531559607765449,     1.5253002273389478};
constexpr double kK1Far[] = {
    -5.756744483665017e-18,  1.7940508731475592e-17,  -5.689462558442859e-17,
    1.838093544366639e-16,   -6.057047248373319e-16,  2.038703165624334e-15,
    -7.019837090418314e-15,  2.4771544244813043e-14,  -8.976705182324994e-14,
    3.3484196660784293e-13,  -1.2891739609510289e-12, 5.13963967348173e-12,
    -2.1299678384275683e-11, 9.218315187605006e-11,   -4.1903547593418965e-10,
    2.015049755197033e-09,   -1.0345762465678097e-08, 5.7410841254500495e-08,
    -3.5019606030878126e-07, 2.406484947837217e-06,   -1.936197974166083e-05,
    0.00019521551847135162,  -0.002857816859622779,   0.10392373657681724,
    2.7206261904844427};

// Those of the first kind in the type of the elements, or in float for elements of 16 bits.
template <typename T>
vec::Vectorized<T> bessel_i0e(const vec::Vectorized<T>& x) {
  using Vec = vec::Vectorized<T>;
  const Vec y = x.abs();
  return piecewise(
      y, 8, [&] { return chebyshev_series<kI0Near>(Vec(y * Vec(T(0.5)) - Vec(T(2)))); },
      [&] { return chebyshev_series<kI0Far>(Vec(Vec(T(32)) / y - Vec(T(2)))) / y.sqrt(); });
}
template <typename T>
vec::Vectorized<T> bessel_i1e(const vec::Vectorized<T>& x) {
  using Vec = vec::Vectorized<T>;
  const Vec y = x.abs();
  const Vec value = piecewise(
      y, 8, [&] { return y * chebyshev_series<kI1Near>(Vec(y * Vec(T(0.5)) - Vec(T(2)))); },
      [&] { return chebyshev_series<kI1Far>(Vec(Vec(T(32)) / y - Vec(T(2)))) / y.sqrt(); });
  return with_sign_of(x, value);
}
V bessel_i0(const V& x) { return x.abs().exp() * bessel_i0e(x); }
V bessel_i1(const V& x) { return x.abs().exp() * bessel_i1e(x); }

template <bool kScaled>
V bessel_k0(const V& x) {
  return piecewise(
      x, 2,
      [&] {
        const V series = chebyshev_series<kK0Near>(V(x * x - V(2.0)));
        const V value = series - logarithm(V(x * V(0.5))) * bessel_i0(x);
        return kScaled ? V(value * x.exp()) : value;
      },
      [&] {
        const V value = chebyshev_series<kK0Far>(V(V(8.0) / x - V(2.0))) / x.sqrt();
        return kScaled ? value : V(value * (-x).exp());
      });
}

template <bool kScaled>
V bessel_k1(const V& x) {
  return piecewise(
      x, 2,
      [&] {
        const V series = chebyshev_series<kK1Near>(V(x * x - V(2.0)));
        const V sum = series / x + logarithm(V(x * V(0.5))) * bessel_i1(x);
        const V value = select(V(x == V(0.0)), V(kInfinity), sum);
        return kScaled ? V(value * x.exp()) : value;
      },
      [&] {
        const V value = chebyshev_series<kK1Far>(V(V(8.0) / x - V(2.0))) / x.sqrt();
        return kScaled ? value : V(value * (-x).exp());
      });
}

// 10.49.3
V spherical_bessel_j0(const V& x) {
  const V value = select(V(x == V(0.0)), V(1.0), V(x.sin() / x));
  return select(V(x.abs() == V(kInfinity)), V(0.0), value);
}

// ---- Ai

// With zeta = 2/3 |x|^(3/2): 2 sqrt(pi) x^(1/4) exp(zeta) Ai(x) for x from 2, a Chebyshev series in
// 1 / zeta; of sqrt(pi) |x|^(1/4) Ai(x) for x to -3.2 the parts with the cosine and the sine of
// zeta - pi / 4 (9.7.9), Chebyshev series in 1 / zeta^2, the second divided by zeta; between, the
// Maclaurin series (9.4.1) of the powers 3 k and 3 k + 1. Made by interpolation with 40 digits.
constexpr double kAiryNegative = 3.2;
constexpr double kAiryPositive = 2;
constexpr double kAiryFar[] = {
    -1.265583225645289e-16,  4.066582046456231e-16,   -1.3338094674756683e-15,
    4.472340393300025e-15,   -1.5356466802223836e-14, 5.4101162570683925e-14,
    -1.9599793911089723e-13, 7.320712095125598e-13,   -2.827706782319351e-12,
    1.1336099808224236e-11,  -4.737267332192277e-11,  2.0745855483677591e-10,
    -9.583863708112733e-10,  4.709793440054328e-09,   -2.489319422322096e-08,
    1.436225340438052e-07,   -9.237229735403982e-07,  6.83476697557269e-06,
    -6.12595423417825e-05,   0.0007327177465426715,   -0.014792784850104199,
    1.9688106098343103};
constexpr double kAiryCosine[] = {
    -1.775817722952142e-16, 4.661014471493509e-16,   -1.2597228713632926e-15,
    3.5154992000025565e-15, -1.0163001103235996e-14, 3.05517215641093e-14,
    -9.594017283214556e-14, 3.164433216000026e-13,   -1.1036597083004279e-12,
    4.1043672980671906e-12, -1.644898246014382e-11,  7.203013479050263e-11,
    -3.510865371122004e-10, 1.9544100412926404e-09,  -1.289982193285027e-08,
    1.0697049119262492e-07, -1.2283294410021042e-06, 2.3508542970847977e-05,
    -0.0011676598442390046, 1.9976149620267873};
constexpr double kAirySine[] = {
    -2.3492608976702967e-16, 5.699168493124289e-16,  -1.415112202031888e-15,
    3.603290101341804e-15,   -9.429434960191134e-15, 2.5423998846314595e-14,
    -7.083445659157512e-14,  2.0463419358981363e-13, -6.154763523387584e-13,
    1.9367045099929046e-12,  -6.413748932462194e-12, 2.2518693829478564e-11,
    -8.45998461076376e-11,   3.4415831704646833e-10, -1.5400845991698183e-09,
    7.74592268388701e-09,    -4.514997193155382e-08, 3.1937483034624614e-07,
    -2.953045423453569e-06,  4.0751180786323733e-05, -0.0011081806160709838,
    0.13658437066159004};
constexpr double kAiryEven[] = {
    3.392479880202349e-39,  6.717110162800651e-36,  1.156686370034272e-32, 1.7142092003907912e-29,
    2.159903592492397e-26,  2.280858193671971e-23,  1.984346628494615e-20, 1.3930113332032197e-17,
    7.689422559281772e-15,  3.2295574748983444e-12, 9.882445873188935e-10, 2.0753136333696763e-07,
    2.7394139960479725e-05, 0.00197237807715454,    0.05917134231463621,   0.3550280538878172};
constexpr double kAiryOdd[] = {
    -2.623337086032094e-40,  -5.430307768086435e-37,  -9.8071358291641e-34,
    -1.5299131893495997e-30, -2.0378443682136668e-27, -2.286461381135734e-24,
    -2.1264090844562326e-21, -1.6075652678489119e-18, -9.645391607093471e-16,
    -4.456170922477184e-13,  -1.5240104554871968e-10, -3.657625093169273e-08,
    -5.705895145344065e-06,  -0.0005135305630809659,  -0.021568283649400565,
    -0.2588194037928068};

V airy_positive(const V& y) {
  const V root = y.sqrt();
  const V zeta = V(2.0 / 3) * y * root;
  constexpr double kStart = 2.0 / 3 * kAiryPositive * std::numbers::sqrt2;
  const V series = chebyshev_series<kAiryFar>(V(V(4 * kStart) / zeta - V(2.0)));
  return (-zeta).exp() * series / root.sqrt() * V(0.5 * std::numbers::inv_sqrtpi);
}

V airy_negative(const V& y) {
  const V root = y.sqrt();
  const V zeta = V(2.0 / 3) * y * root;
  constexpr double kSquareOfStart = 4.0 / 9 * kAiryNegative * kAiryNegative * kAiryNegative;
  const V place = V(4 * kSquareOfStart) / (zeta * zeta) - V(2.0);
  const V phase = zeta - V(kQuarterPi);
  const V cosine = phase.cos() * chebyshev_series<kAiryCosine>(place);
  const V sine = phase.sin() * chebyshev_series<kAirySine>(place) / zeta;
  return (cosine + sine) / root.sqrt() * V(std::numbers::inv_sqrtpi);
}

V airy_ai(const V& x) {
  const V y = x.abs();
  const V value = piecewise(
      x, kAiryPositive,
      [&] {
        return piecewise(
            V(-x), kAiryNegative,
            [&] {
              const V cube = x * x * x;
              return fmadd(x, horner(kAiryOdd, cube), horner(kAiryEven, cube));
            },
            [&] { return airy_negative(y); });
      },
      [&] { return airy_positive(y); });
  return select(V(y == V(kInfinity)), V(kNaN), value);
}

void special_i0e_kernel(TensorIteratorBase& iter) {
  DISPATCH_ALL_FLOATING(iter.common_dtype(), "special_i0e_cpu", [&] {
    using T = opmath_type<scalar_t>;
    buffered_vectors<T, scalar_t>(iter, [](const vec::Vectorized<T>& x) { return bessel_i0e(x); });
  });
}
void special_i1e_kernel(TensorIteratorBase& iter) {
  DISPATCH_ALL_FLOATING(iter.common_dtype(), "special_i1e_cpu", [&] {
    using T = opmath_type<scalar_t>;
    buffered_vectors<T, scalar_t>(iter, [](const vec::Vectorized<T>& x) { return bessel_i1e(x); });
  });
}

FLOATING_DOUBLE_VECTORS_KERNEL(special_airy_ai_stub, "airy_ai_cpu", airy_ai)
FLOATING_DOUBLE_VECTORS_KERNEL(special_bessel_j0_stub, "bessel_j0_cpu", bessel_j0)
FLOATING_DOUBLE_VECTORS_KERNEL(special_bessel_j1_stub, "bessel_j1_cpu", bessel_j1)
FLOATING_DOUBLE_VECTORS_KERNEL(special_bessel_y0_stub, "bessel_y0_cpu", bessel_y0)
FLOATING_DOUBLE_VECTORS_KERNEL(special_bessel_y1_stub, "bessel_y1_cpu", bessel_y1)
FLOATING_DOUBLE_VECTORS_KERNEL(special_modified_bessel_i0_stub, "modified_bessel_i0_cpu", bessel_i0)
FLOATING_DOUBLE_VECTORS_KERNEL(special_modified_bessel_i1_stub, "modified_bessel_i1_cpu", bessel_i1)
FLOATING_DOUBLE_VECTORS_KERNEL(special_modified_bessel_k0_stub, "modified_bessel_k0_cpu",
                               bessel_k0<false>)
FLOATING_DOUBLE_VECTORS_KERNEL(special_modified_bessel_k1_stub, "modified_bessel_k1_cpu",
                               bessel_k1<false>)
FLOATING_DOUBLE_VECTORS_KERNEL(special_scaled_modified_bessel_k0_stub,
                               "scaled_modified_bessel_k0_cpu", bessel_k0<true>)
FLOATING_DOUBLE_VECTORS_KERNEL(special_scaled_modified_bessel_k1_stub,
                               "scaled_modified_bessel_k1_cpu", bessel_k1<true>)
FLOATING_DOUBLE_VECTORS_KERNEL(special_spherical_bessel_j0_stub, "spherical_bessel_j0_cpu",
                               spherical_bessel_j0)
ALL_FLOATING_DOUBLE_VECTORS_KERNEL(i0_stub, "i0_cpu", bessel_i0)
ALL_FLOATING_DOUBLE_VECTORS_KERNEL(special_i1_stub, "special_i1_cpu", bessel_i1)
REGISTER_DISPATCH(special_i0e_stub, &special_i0e_kernel)
REGISTER_DISPATCH(special_i1e_stub, &special_i1e_kernel)

}  // namespace
}  // namespace CPU_CAPABILITY
}  // namespace at::native
