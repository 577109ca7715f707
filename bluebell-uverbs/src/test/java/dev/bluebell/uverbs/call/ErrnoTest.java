package dev.bluebell.uverbs.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import org.junit.jupiter.api.Test;

class ErrnoTest {
  @Test
  void everyErrorNumberHasItsName() throws IllegalAccessException {
    for (Field number : Errno.class.getDeclaredFields()) {
      if (number.getType() == int.class) {
        assertThat(Errno.name(number.getInt(null))).isEqualTo(number.getName());
      }
    }
  }
}
