package dev.bluebell.hca;

/** A UAR page, mapped; its layout is {@link dev.bluebell.hca.doorbell.Uar}. */
public interface HcaUar extends AutoCloseable {

  /** Page index for the {@code uar_page} fields of contexts. */
  int number();

  /** Address in this process of the page's 4096 bytes; valid until {@link #close}. */
  long address();

  /**
   * Executes the requests rung on the page, and ignores later writes to it. The page then costs
   * nothing; objects that were created on it stay.
   */
  default void silence() throws HcaException {
    throw new UnsupportedOperationException("this device watches UAR pages until they are closed");
  }

  /** Frees the page. Idempotent. */
  @Override
  void close() throws HcaException;
}
