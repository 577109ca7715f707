package dev.bluebell.conformance.traffic;

import dev.bluebell.verbs.RequestModifiers;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Proxy;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Lets the stages of one kind of queue pair be used as those of another that has methods of the
 * same names, so that a test is written once for all kinds. A method that the stages lack is an
 * error of the test, except {@code signaled} where only a fenced request may be signalled.
 */
public final class Stages {
  private static final Map<Call, Step> STEPS = new ConcurrentHashMap<>();

  /** A call of a method of the stages that a test is written for, on those that there are. */
  private record Call(Class<?> stages, Method wanted, Class<?> type) {}

  /**
   * What a call leads to.
   *
   * @param method of the stages that there are; null if they lack it
   * @param wanted the type that the next stage is to have
   * @param type the public type that it has
   */
  private record Step(@Nullable Method method, Class<?> wanted, Class<?> type) {
    static Step of(Call call) {
      Method method = find(call.type(), call.wanted());
      return new Step(
          method,
          result(call.stages(), call.wanted()),
          method == null ? void.class : result(call.type(), method));
    }
  }

  private Stages() {}

  /**
   * Wraps stages.
   *
   * @param wanted the type that the test is written for
   * @param type the public type of the stages that there are
   */
  public static <T> T as(Class<T> wanted, Class<?> type, Object stage) {
    if (wanted.isInstance(stage)) {
      return wanted.cast(stage);
    }
    return wanted.cast(
        Proxy.newProxyInstance(
            wanted.getClassLoader(),
            new Class<?>[] {wanted},
            (self, method, arguments) -> call(wanted, method, type, stage, arguments)));
  }

  private static @Nullable Object call(
      Class<?> stages,
      Method wanted,
      Class<?> type,
      Object stage,
      @Nullable Object @Nullable [] arguments)
      throws ReflectiveOperationException {
    Step step = STEPS.computeIfAbsent(new Call(stages, wanted, type), Step::of);
    Method method = step.method();
    if (method == null && wanted.getName().equals("signaled")) {
      RequestModifiers fenced = (RequestModifiers) type.getMethod("fence").invoke(stage);
      return wanted.invoke(fenced, arguments);
    }
    if (method == null) {
      throw new AssertionError("%s has no %s".formatted(type.getSimpleName(), wanted));
    }
    Object next = invoke(method, stage, arguments);
    return next == null ? null : as(step.wanted(), step.type(), next);
  }

  /** What a method of a stage returns, where the stages that it extends leave it to a parameter. */
  private static Class<?> result(Class<?> stage, Method method) {
    Type result = method.getGenericReturnType();
    Map<Type, Type> chosen = chosen(stage);
    while (chosen.containsKey(result)) {
      result = chosen.get(result);
    }
    return result instanceof Class<?> type ? type : method.getReturnType();
  }

  /** What a stage puts in the place of the type parameters of those that it extends. */
  private static Map<Type, Type> chosen(Class<?> stage) {
    Map<Type, Type> chosen = new HashMap<>();
    for (Type extended : stage.getGenericInterfaces()) {
      Class<?> type;
      if (extended instanceof ParameterizedType parameterized) {
        type = (Class<?>) parameterized.getRawType();
        TypeVariable<?>[] parameters = type.getTypeParameters();
        for (int i = 0; i < parameters.length; i++) {
          chosen.put(parameters[i], parameterized.getActualTypeArguments()[i]);
        }
      } else {
        type = (Class<?>) extended;
      }
      // Of two that extend the same one, either has the choice.
      chosen(type).forEach(chosen::putIfAbsent);
    }
    return chosen;
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
