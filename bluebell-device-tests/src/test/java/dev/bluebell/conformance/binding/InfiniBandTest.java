package dev.bluebell.conformance.binding;

import dev.bluebell.conformance.BenchExtension;
import dev.bluebell.conformance.TrafficTest;
import org.junit.platform.suite.api.ConfigurationParameter;
import org.junit.platform.suite.api.ExcludeClassNamePatterns;
import org.junit.platform.suite.api.ExcludePackages;
import org.junit.platform.suite.api.ExcludeTags;
import org.junit.platform.suite.api.IncludeEngines;
import org.junit.platform.suite.api.SelectPackages;
import org.junit.platform.suite.api.Suite;

/**
 * The suite on a device with an InfiniBand port, which has four LIDs, and whose time passes only
 * when it is idle. Excludes long traffic and requests at each place of a ring, because the port
 * type only changes the addressing of queue pairs, which these do not test.
 */
@Suite
@IncludeEngines("junit-jupiter")
@SelectPackages("dev.bluebell.conformance")
@ExcludePackages({"dev.bluebell.conformance.binding", "dev.bluebell.conformance.vectors"})
@ExcludeClassNamePatterns(".*\\.RingTest")
@ExcludeTags(TrafficTest.TAG)
@ConfigurationParameter(key = BenchExtension.DEVICE, value = "infiniband")
class InfiniBandTest {}
