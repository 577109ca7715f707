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
 * Adapts the stages of one kind of queue pair to the type of another with the same method names, so
 * a test is written once for all kinds. Calling a method that the stages lack is an error of the
 * test, except {@code signaled} where only a fenced request may be signalled.
 */
public final class Stages {
  private static final Map<Call, Step> STEPS = new ConcurrentHashMap<>();

  /** A call of a method of the test's stage type on the actual stages. */
  private record Call(Class<?> stages, Method wanted, Class<?> type) {}

  /**
   * The actual method for a call and the types of its result.
   *
   * @param method of the actual stages; null if they lack it
   * @param wanted the type of the next stage for the test
   * @param type its actual public type
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
   * @param type the public type of the actual stages
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

  /** The return type of a method of a stage, with type parameters of its supertypes resolved. */
  private static Class<?> result(Class<?> stage, Method method) {
    Type result = method.getGenericReturnType();
    Map<Type, Type> chosen = chosen(stage);
    while (chosen.containsKey(result)) {
      result = chosen.get(result);
    }
    return result instanceof Class<?> type ? type : method.getReturnType();
  }

  /** The type arguments that a stage gives to the stages that it extends. */
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
      // If two supertypes extend the same stage, either one's arguments will do.
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
