package dev.bluebell.hca.structure;

import java.lang.reflect.Field;
import java.util.HashMap;
import java.util.Map;

/**
 * The names of numbers that a class defines: its public constants of type {@code int}, which have
 * different values.
 */
public final class ConstantNames {
  private final Map<Integer, String> names = new HashMap<>();
  private final String other;

  /**
   * Collects the constants of a class.
   *
   * @param other format for numbers without a name, such as {@code 0x%02x}
   */
  public ConstantNames(Class<?> type, String other) {
    this.other = other;
    for (Field constant : type.getFields()) {
      if (constant.getType() == int.class) {
        try {
          names.put(constant.getInt(null), constant.getName());
        } catch (IllegalAccessException e) {
          throw new IllegalArgumentException(type + " is not visible here", e);
        }
      }
    }
  }

  /** The name of the constant with a value, or the number itself when there is none. */
  public String of(int value) {
    String name = names.get(value);
    return name == null ? other.formatted(value) : name;
  }
}
