package dev.bluebell.hca;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A wrapper overrides the calls that it changes; all others must be forwarded. */
class ForwardingHcaTest {

  static List<Method> calls() {
    return List.of(Hca.class.getDeclaredMethods());
  }

  @ParameterizedTest
  @MethodSource("calls")
  void everyCallReachesTheOtherDeviceWithItsArguments(Method call) throws Exception {
    List<Object> seen = new ArrayList<>();
    Hca target =
        (Hca)
            Proxy.newProxyInstance(
                Hca.class.getClassLoader(),
                new Class<?>[] {Hca.class},
                (proxy, method, arguments) -> {
                  seen.add(method);
                  seen.addAll(arguments == null ? List.of() : Arrays.asList(arguments));
                  return answer(method.getReturnType());
                });
    Object[] arguments = new Object[call.getParameterCount()];
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] = argument(call.getParameterTypes()[i], i);
    }
    Object answer = call.invoke(new ForwardingHca(target) {}, arguments);
    List<Object> expected = new ArrayList<>(List.of(call));
    expected.addAll(Arrays.asList(arguments));
    assertThat(seen).containsExactlyElementsOf(expected);
    assertThat(answer).isEqualTo(answer(call.getReturnType()));
  }

  private static @Nullable Object argument(Class<?> type, int place) {
    return type.isPrimitive() ? number(type, place) : null;
  }

  private static @Nullable Object answer(Class<?> type) {
    if (type == Optional.class) {
      return Optional.empty();
    }
    return type.isPrimitive() && type != void.class ? number(type, 42) : null;
  }

  private static Object number(Class<?> type, int value) {
    if (type == int.class) {
      return value;
    }
    if (type == boolean.class) {
      return value == 42;
    }
    return (long) value;
  }
}
