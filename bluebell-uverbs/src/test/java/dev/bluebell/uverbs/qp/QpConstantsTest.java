package dev.bluebell.uverbs.qp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.uverbs.Headers;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares the numbers of attributes and states with libibverbs. */
class QpConstantsTest {
  @TempDir private Path scratch;

  @Test
  void attributesAndStatesAreThoseOfLibibverbs() throws Exception {
    expect(QpMask.class, "IBV_QP_", 20);
    expect(QpStates.class, "IBV_QPS_", 7);
  }

  private void expect(Class<?> type, String prefix, int count)
      throws IllegalAccessException, IOException, InterruptedException {
    Map<String, Long> expected = new HashMap<>();
    for (Field field : type.getDeclaredFields()) {
      boolean named = !Modifier.isPrivate(field.getModifiers());
      if (named && field.getType() == int.class) {
        expected.put(prefix + field.getName(), (long) field.getInt(null));
      }
    }
    assertThat(expected).hasSize(count);
    assertThat(Headers.evaluateByLibrary(scratch, expected.keySet())).isEqualTo(expected);
  }
}
