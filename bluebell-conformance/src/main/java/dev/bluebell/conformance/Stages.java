package dev.bluebell.conformance;

import dev.bluebell.verbs.RequestModifiers;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Lets the stages of one kind of queue pair be used as those of another that has methods of the
 * same names, so that a test is written once for all kinds. A method that the stages lack is an
 * error of the test, except {@code signaled} where only a fenced request may be signalled.
 */
final class Stages {
  private Stages() {}

  /**
   * Wraps stages.
   *
   * @param wanted the type that the test is written for
   * @param type the public type of the stages that there are
   */
  static <T> T as(Class<T> wanted, Class<?> type, Object stage) {
    if (wanted.isInstance(stage)) {
      return wanted.cast(stage);
    }
    return wanted.cast(
        Proxy.newProxyInstance(
            wanted.getClassLoader(),
            new Class<?>[] {wanted},
            (self, method, arguments) -> call(method, type, stage, arguments)));
  }

  private static @Nullable Object call(
      Method wanted, Class<?> type, Object stage, @Nullable Object @Nullable [] arguments)
      throws ReflectiveOperationException {
    Method method = find(type, wanted);
    if (method == null && wanted.getName().equals("signaled")) {
      RequestModifiers fenced = (RequestModifiers) type.getMethod("fence").invoke(stage);
      return wanted.invoke(fenced, arguments);
    }
    if (method == null) {
      throw new AssertionError("%s has no %s".formatted(type.getSimpleName(), wanted));
    }
    Object next = invoke(method, stage, arguments);
    return next == null ? null : as(wanted.getReturnType(), method.getReturnType(), next);
  }

  private static @Nullable Object invoke(
      Method method, Object stage, @Nullable Object @Nullable [] arguments)
      throws ReflectiveOperationException {
    try {
      return method.invoke(stage, arguments);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof RuntimeException refusal) {
        throw refusal;
      }
      throw e;
    }
  }

  private static @Nullable Method find(Class<?> type, Method wanted) {
    return Arrays.stream(type.getMethods())
        .filter(method -> method.getName().equals(wanted.getName()))
        .filter(method -> Arrays.equals(method.getParameterTypes(), wanted.getParameterTypes()))
        .findFirst()
        .orElse(null);
  }
}
