package dev.bluebell.hca;

/** A UAR page, mapped; its layout is {@link dev.bluebell.hca.doorbell.Uar}. */
public interface HcaUar extends AutoCloseable {

  /** Page index for the {@code uar_page} fields of contexts. */
  int number();

  /** Address in this process of the page's 4096 bytes; valid until {@link #close}. */
  long address();

  /**
   * Executes what was rung on the page, and takes no notice of what is written to it from now on.
   * The page costs nothing then; what was created on it stays.
   */
  default void silence() throws HcaException {
    throw new UnsupportedOperationException("this device looks at UAR pages until they are closed");
  }

  /** Gives the page back. Idempotent. */
  @Override
  void close() throws HcaException;
}
