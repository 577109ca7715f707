package dev.bluebell.conformance.binding;

import dev.bluebell.conformance.BenchExtension;
import org.junit.platform.suite.api.ConfigurationParameter;
import org.junit.platform.suite.api.IncludeEngines;
import org.junit.platform.suite.api.SelectPackages;
import org.junit.platform.suite.api.Suite;

/**
 * The suite on a device whose fabric loses, repeats, delays and reorders packets, and whose time
 * passes only when it is idle.
 */
@Suite
@IncludeEngines("junit-jupiter")
@SelectPackages("dev.bluebell.conformance")
@ConfigurationParameter(key = BenchExtension.DEVICE, value = "lossy")
class LossyTest {}
