// Package mobile has the kinematics of vehicles on wheels and tracks, and where they are by dead reckoning.
//
//	angles of the wheels ─► Differential, Tracked, Ackermann, Mecanum ─► displacement and its covariance
//	                                                                                 │
//	                                      pose and its covariance ◄─ Odometry, or Fusion with a gyroscope
//
// # Frames
//
// The vehicle's own axes are x forward, y left, z up; angles are counter-clockwise seen from above. Poses are those of this frame in the
// frame where the vehicle was when counting began, or wherever the first pose puts it. The ground is a plane.
//
// # Uncertainty
//
// Dead reckoning only adds up: without a measurement from outside its error grows without bound. The errors counted here are random:
// each wheel's way has a variance that grows with its length, independent of the other wheels (Chong and Kleeman 1997). A wrong radius or track
// is a systematic error; it is in no covariance and has to be calibrated (Borenstein and Feng 1996).
//
// Poses are exact for a vehicle that moves uniformly during a step, and covariances to first order in the errors: they do not depend on how a
// motion is divided into steps. Where its motion changes within a step, the error is of third order in the step's duration.
//
// Steps allocate nothing.
//
// # Sources
//
// R. Siegwart, I. Nourbakhsh, D. Scaramuzza, Introduction to Autonomous Mobile Robots, 2nd ed. 2011, chapters 3 and 5. K. S. Chong, L. Kleeman,
// Accurate Odometry and Error Modelling for a Mobile Robot, IEEE ICRA 1997. J. Borenstein, L. Feng, Measurement and Correction of Systematic
// Odometry Errors in Mobile Robots, IEEE Transactions on Robotics and Automation 12, 1996. J. L. Martínez, A. Mandow, J. Morales, S. Pedraza, A.
// García-Cerezo, Approximating Kinematics for Tracked Mobile Robots, International Journal of Robotics Research 24, 2005.
package mobile
