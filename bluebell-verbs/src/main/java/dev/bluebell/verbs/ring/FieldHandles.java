package dev.bluebell.verbs.ring;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Handles of fields that threads share. Keep them in static final fields: the JIT folds those. */
final class FieldHandles {
  private FieldHandles() {}

  /** The handle of a field that the lookup's class can access. */
  static VarHandle of(MethodHandles.Lookup lookup, Class<?> owner, String field, Class<?> type) {
    try {
      return lookup.findVarHandle(owner, field, type);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}
