// Functions to some units in the last place. Those of GLSL may be thousands of units off, as far as Vulkan goes.
// The polynomials are those of Moshier's Cephes library (single precision), Methods and Programs for
// Mathematical Functions, 1989.

const float LN2_HIGH = 0.693359375;
const float LN2_LOW = -2.12194440e-4;

// x * 2^n for any n.
float scale_by_power(float x, int n) {
  n = clamp(n, -300, 300);
  const int first = n / 3;
  const int last = n - 2 * first;
  const float a = uintBitsToFloat(uint(first + 127) << 23);
  return x * a * a * uintBitsToFloat(uint(last + 127) << 23);
}

float exp_of(float x) {
  if (is_nan(x)) return x;
  if (x > 88.8) return make_inf();
  if (x < -104.0) return 0.0;
  const float n = roundEven(x * 1.44269504088896341);
  precise float r = x - n * LN2_HIGH;
  r = r - n * LN2_LOW;
  float p = 1.9875691500e-4;
  p = p * r + 1.3981999507e-3;
  p = p * r + 8.3334519073e-3;
  p = p * r + 4.1665795894e-2;
  p = p * r + 1.6666665459e-1;
  p = p * r + 5.0000001201e-1;
  return scale_by_power(p * r * r + r + 1.0, int(n));
}

// x = m * 2^e with m in [sqrt(1/2), sqrt(2)), for a finite positive x.
float split_power(float x, out int e) {
  uint bits = floatBitsToUint(x);
  e = 0;
  if (bits < 0x00800000u) {
    bits = floatBitsToUint(x * 8388608.0);
    e = -23;
  }
  e += int(bits >> 23) - 126;
  float m = uintBitsToFloat((bits & 0x007fffffu) | 0x3f000000u);
  if (m < 0.70710678118654752) {
    m = m * 2.0;
    e -= 1;
  }
  return m;
}

// log(1 + x) for x in [sqrt(1/2) - 1, sqrt(2) - 1), without x itself.
float log_tail(float x) {
  const float z = x * x;
  float p = 7.0376836292e-2;
  p = p * x - 1.1514610310e-1;
  p = p * x + 1.1676998740e-1;
  p = p * x - 1.2420140846e-1;
  p = p * x + 1.4249322787e-1;
  p = p * x - 1.6668057665e-1;
  p = p * x + 2.0000714765e-1;
  p = p * x - 2.4999993993e-1;
  p = p * x + 3.3333331174e-1;
  return p * x * z - 0.5 * z;
}

float log_of(float x) {
  if (is_nan(x) || x < 0.0) return make_nan();
  if (x == 0.0) return -make_inf();
  if (is_inf(x)) return x;
  int e;
  const float m = split_power(x, e) - 1.0;
  const float n = float(e);
  return m + (log_tail(m) + n * LN2_LOW) + n * LN2_HIGH;
}

// W. Kahan's way: what 1 + x lost is in the quotient.
float log1p_of(float x) {
  precise const float u = 1.0 + x;
  if (u == 1.0 || is_inf(x) || is_nan(x)) return x == -make_inf() ? make_nan() : x;
  precise const float d = u - 1.0;
  return u <= 0.0 ? log_of(u) : log_of(u) * (x / d);
}

float expm1_of(float x) {
  if (abs(x) < 0.5) {
    float p = 1.9875691500e-4;
    p = p * x + 1.3981999507e-3;
    p = p * x + 8.3334519073e-3;
    p = p * x + 4.1665795894e-2;
    p = p * x + 1.6666665459e-1;
    p = p * x + 5.0000001201e-1;
    return p * x * x + x;
  }
  return exp_of(x) - 1.0;
}

float log2_of(float x) {
  if (is_nan(x) || is_inf(x) || x <= 0.0) return log_of(x);
  int e;
  const float m = split_power(x, e) - 1.0;
  return (m + log_tail(m)) * 1.44269504088896341 + float(e);
}

// The root of the exponential does not overflow where sinh and cosh do not.
float sinh_of(float x) {
  if (abs(x) < 1.0) {
    const float u = expm1_of(x);
    return 0.5 * (u + u / (u + 1.0));
  }
  const float root = exp_of(0.5 * abs(x));
  const float y = 0.5 * root * root - 0.5 / root / root;
  return x < 0.0 ? -y : y;
}
float cosh_of(float x) {
  const float root = exp_of(0.5 * abs(x));
  return 0.5 * root * root + 0.5 / root / root;
}

float tanh_of(float x) {
  const float a = abs(x);
  if (is_nan(x)) return x;
  if (a < 0.625) {
    const float z = x * x;
    float p = -5.70498872745e-3;
    p = p * z + 2.06390887954e-2;
    p = p * z - 5.37397155531e-2;
    p = p * z + 1.33314422036e-1;
    p = p * z - 3.33332819422e-1;
    return p * z * x + x;
  }
  const float t = a > 15.0 ? 1.0 : 1.0 - 2.0 / (exp_of(2.0 * a) + 1.0);
  return x < 0.0 ? -t : t;
}

float sigmoid_of(float x) {
  if (x >= 0.0) return 1.0 / (1.0 + exp_of(-x));
  const float e = exp_of(x);
  return e / (1.0 + e);
}

// exp(-x^2) times the rest, for x of at least 1.
float erfc_tail(float x) {
  const float q = 1.0 / x;
  const float y = q * q;
  float p;
  if (x < 2.0) {
    p = 2.326819970068386e-2;
    p = p * y - 1.387039388740657e-1;
    p = p * y + 3.687424674597105e-1;
    p = p * y - 5.824733027278666e-1;
    p = p * y + 6.210004621745983e-1;
    p = p * y - 4.944515323274145e-1;
    p = p * y + 3.404879937665872e-1;
    p = p * y - 2.741127028184656e-1;
    p = p * y + 5.638259427386472e-1;
  } else {
    p = -1.047766399936249e+1;
    p = p * y + 1.297719955372516e+1;
    p = p * y - 7.495518717768503e+0;
    p = p * y + 2.921019019210786e+0;
    p = p * y - 1.015265279202700e+0;
    p = p * y + 4.218463358204948e-1;
    p = p * y - 2.820767439740514e-1;
    p = p * y + 5.641895067754075e-1;
  }
  // What the square lost matters as much as the square is large.
  precise const float square = x * x;
  const float rest = fma(x, x, -square);
  return exp_of(-square) * (1.0 - rest) * q * p;
}

float erf_of(float x) {
  if (is_nan(x)) return x;
  const float a = abs(x);
  if (a > 1.0) {
    const float t = a > 5.0 ? 1.0 : 1.0 - erfc_tail(a);
    return x < 0.0 ? -t : t;
  }
  const float z = x * x;
  float p = 7.853861353153693e-5;
  p = p * z - 8.010193625184903e-4;
  p = p * z + 5.188327685732524e-3;
  p = p * z - 2.685381193529856e-2;
  p = p * z + 1.128358514861418e-1;
  p = p * z - 3.761262582423300e-1;
  p = p * z + 1.128379165726710e+0;
  return p * x;
}

float erfc_of(float x) {
  if (x > 1.0) return x > 11.0 ? 0.0 : erfc_tail(x);
  return 1.0 - erf_of(x);
}

// The bits of 2 / pi behind the point.
const uint TWO_OVER_PI[7] = uint[7](0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u,
                                    0xfe5163abu);

// 32 bits of 2 / pi, from bit `first` behind the point on; zeros before the point.
uint bits_from(int first) {
  if (first <= -32) return 0u;
  if (first < 0) return TWO_OVER_PI[0] >> uint(-first);
  const int word = first >> 5;
  const uint shift = uint(first & 31);
  const uint low = shift == 0u ? 0u : TWO_OVER_PI[word + 1] >> (32u - shift);
  return (TWO_OVER_PI[word] << shift) | low;
}

// The same for any x: of x times 2 / pi only the bits near the point matter (Payne and Hanek, 1983).
float reduce_large_angle(float x, out int quadrant) {
  const uint bits = floatBitsToUint(x);
  // |x| = mantissa * 2^power
  const uint mantissa = (bits & 0x007fffffu) | 0x00800000u;
  const int power = int((bits >> 23) & 255u) - 150;
  // 96 bits of 2 / pi, whose last is 2^-(first + 96): whole quadrants beyond the second bit fall away.
  const int first = power - 2;
  uint high;
  uint low;
  uint sums[3];
  umulExtended(mantissa, bits_from(first + 64), high, low);
  sums[2] = low;
  uint carry = high;
  umulExtended(mantissa, bits_from(first + 32), high, low);
  uint overflow;
  sums[1] = uaddCarry(low, carry, overflow);
  carry = high + overflow;
  sums[0] = mantissa * bits_from(first) + carry;
  // The product is sums / 2^94, whose two highest bits are the quadrant.
  quadrant = int(sums[0] >> 30);
  uint fraction = (sums[0] << 2) | (sums[1] >> 30);
  uint rest = (sums[1] << 2) | (sums[2] >> 30);
  bool negative = false;
  if (fraction >= 0x80000000u) {
    // Closer to the next quadrant.
    quadrant += 1;
    negative = true;
    fraction = ~fraction;
    rest = ~rest;
  }
  // Leading zeros would cost digits.
  const int zeros = fraction == 0u ? 32 : 31 - findMSB(fraction);
  const uint top = zeros == 0 ? fraction : (zeros == 32 ? rest : (fraction << zeros) | (rest >> (32 - zeros)));
  float r = scale_by_power(float(top) * 1.57079632679489662, -32 - zeros);
  if (negative) r = -r;
  if ((bits >> 31) != 0u) {
    r = -r;
    quadrant = -quadrant;
  }
  quadrant &= 3;
  return r;
}

// The quadrant of x and what is left of it, of which the sine or cosine is.
float reduce_angle(float x, out int quadrant) {
  if (abs(x) > 8192.0) return reduce_large_angle(x, quadrant);
  const float j = roundEven(x * 0.63661977236758134);
  precise float r = x - j * 1.5703125;
  r = r - j * 4.837512969970703125e-4;
  r = r - j * 7.54978995489188216e-8;
  quadrant = int(j) & 3;
  return r;
}
float sin_near(float x) {
  const float z = x * x;
  return ((-1.9515295891e-4 * z + 8.3321608736e-3) * z - 1.6666654611e-1) * z * x + x;
}
float cos_near(float x) {
  const float z = x * x;
  return ((2.443315711809948e-5 * z - 1.388731625493765e-3) * z + 4.166664568298827e-2) * z * z -
         0.5 * z + 1.0;
}
float sin_of(float x) {
  if (is_nan(x) || is_inf(x)) return make_nan();
  int quadrant;
  const float r = reduce_angle(x, quadrant);
  const float s = (quadrant & 1) == 0 ? sin_near(r) : cos_near(r);
  return (quadrant & 2) == 0 ? s : -s;
}
float cos_of(float x) {
  if (is_nan(x) || is_inf(x)) return make_nan();
  int quadrant;
  const float r = reduce_angle(x, quadrant);
  const float c = (quadrant & 1) == 0 ? cos_near(r) : -sin_near(r);
  return (quadrant & 2) == 0 ? c : -c;
}

float sqrt_of(float x) { return x < 0.0 ? make_nan() : sqrt(x); }

bool is_odd(float y) { return abs(y) < 16777216.0 && (int(y) & 1) != 0; }

float pow_of(float x, float y) {
  if (y == 0.0 || x == 1.0) return 1.0;
  if (is_nan(x) || is_nan(y)) return make_nan();
  const bool whole = floor(y) == y || is_inf(y);
  const float a = abs(x);
  const bool negative = whole && !is_inf(y) && is_odd(y) && (floatBitsToUint(x) >> 31) != 0u;
  float result;
  if (is_inf(y)) {
    result = a == 1.0 ? 1.0 : ((a > 1.0) == (y > 0.0) ? make_inf() : 0.0);
  } else if (a == 0.0 || is_inf(a)) {
    result = (a == 0.0) == (y > 0.0) ? 0.0 : make_inf();
  } else if (x < 0.0 && !whole) {
    return make_nan();
  } else if (y == 0.5) {
    result = sqrt(a);
  } else if (whole && abs(y) <= 16.0) {
    result = 1.0;
    for (int i = 0; i < int(abs(y)); ++i) result *= a;
    if (y < 0.0) result = 1.0 / result;
  } else {
    // 2^(e y) m^y: the whole part of e y is exact.
    int e;
    const float m = split_power(a, e) - 1.0;
    const float turns = clamp(float(e) * y, -100000.0, 100000.0);
    const float n = roundEven(turns);
    const float rest = abs(turns) < 100000.0 ? fma(float(e), y, -n) : 0.0;
    const float power = y * (m + log_tail(m)) + rest * 0.69314718055994531;
    result = abs(power) > 200.0 ? exp_of(clamp(power + n * 0.69314718055994531, -200.0, 200.0))
                                : scale_by_power(exp_of(power), int(n));
  }
  return negative ? -result : result;
}
