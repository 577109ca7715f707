package dev.bluebell.uverbs.cm;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.CmAbi.ConnParam;
import dev.bluebell.hca.uverbs.CmAbi.Ece;
import java.util.Arrays;

/**
 * The connection parameters that one end sends. Immutable.
 *
 * @param param {@link ConnParam}
 * @param ece {@link Ece}
 */
record Offer(View param, View ece) {
  /** Largest retry count in a message. */
  private static final int MOST_RETRIES = 7;

  /** The offer in the input of a command. */
  static Offer of(View in, Area param, Area ece) {
    return new Offer(in.copy(param), in.copy(ece));
  }

  int get(Field field) {
    return param.getInt(field);
  }

  int retries(Field count) {
    return Math.min(MOST_RETRIES, get(count));
  }

  byte[] data() {
    return Arrays.copyOf(param.getBytes(ConnParam.PRIVATE_DATA), get(ConnParam.PRIVATE_DATA_LEN));
  }
}
