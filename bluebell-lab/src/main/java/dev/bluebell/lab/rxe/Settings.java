package dev.bluebell.lab.rxe;

/**
 * Settings of both ends of a connection.
 *
 * @param service transport service of the queue pairs
 * @param mtu path MTU in bytes
 * @param timeout code of the acknowledgement timeout; 14 is 67 ms
 * @param retries 0 … 7
 * @param rnrRetries 0 … 7, where 7 is unlimited
 * @param firstPsn first PSN of both ends
 */
record Settings(Service service, int mtu, int timeout, int retries, int rnrRetries, int firstPsn) {
  static final int SMALL_MTU = 1024;
  static final int LARGE_MTU = 4096;
  private static final int PSN = 0x123456;

  static Settings of(Service service, int mtu) {
    return new Settings(service, mtu, 14, 7, 7, PSN);
  }

  static Settings rc() {
    return of(Service.RC, SMALL_MTU);
  }

  Settings withTimers(int code, int retryCount, int rnrRetryCount) {
    return new Settings(service, mtu, code, retryCount, rnrRetryCount, firstPsn);
  }

  Settings withFirstPsn(int psn) {
    return new Settings(service, mtu, timeout, retries, rnrRetries, psn);
  }
}
