package batch

import "golang.org/x/sys/cpu"

// processor returns the best kernels that this processor runs, nil if none.
func processor() *kernels {
	switch {
	case cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ:
		return avx512()
	case cpu.X86.HasAVX2 && cpu.X86.HasFMA:
		return avx2()
	}
	return nil
}

func avx512() *kernels {
	var k kernels
	s := &k.steps
	s.sincos = sincosAVX512
	s.place = placeAVX512
	s.addForce = addForceAVX512
	s.addArticulated = addArticulatedAVX512
	s.addComposite = addCompositeAVX512
	s.column = columnAVX512
	s.columnFloating = columnFloatingAVX512
	s.balanceBase = balanceBaseAVX512
	s.articulateBase = articulateBaseAVX512
	s.accelerateFloating = accelerateFloatingAVX512
	s.step[flat], s.step[quarter], s.step[turning], s.step[axis], s.step[floating] = stepFlatAVX512, stepQuarterAVX512, stepTurningAVX512, stepAxisAVX512, stepFloatingAVX512
	s.move[flat], s.move[quarter], s.move[turning], s.move[axis], s.move[floating] = moveFlatAVX512, moveQuarterAVX512, moveTurningAVX512, moveAxisAVX512, moveFloatingAVX512
	s.balance[flat], s.balance[quarter], s.balance[turning], s.balance[axis], s.balance[floating] = balanceFlatAVX512, balanceQuarterAVX512, balanceTurningAVX512, balanceAxisAVX512, balanceFloatingAVX512
	s.bias[flat], s.bias[quarter], s.bias[turning], s.bias[axis], s.bias[floating] = biasFlatAVX512, biasQuarterAVX512, biasTurningAVX512, biasAxisAVX512, biasFloatingAVX512
	s.articulate[flat], s.articulate[quarter], s.articulate[turning], s.articulate[axis] = articulateFlatAVX512, articulateQuarterAVX512, articulateTurningAVX512, articulateAxisAVX512
	s.accelerate[flat], s.accelerate[quarter], s.accelerate[turning], s.accelerate[axis] = accelerateFlatAVX512, accelerateQuarterAVX512, accelerateTurningAVX512, accelerateAxisAVX512
	s.compose[flat], s.compose[quarter], s.compose[turning], s.compose[axis], s.compose[floating] = composeFlatAVX512, composeQuarterAVX512, composeTurningAVX512, composeAxisAVX512, composeFloatingAVX512
	s.walk[flat], s.walk[quarter], s.walk[turning], s.walk[axis] = walkFlatAVX512, walkQuarterAVX512, walkTurningAVX512, walkAxisAVX512
	k.quarters = true
	return &k
}

func avx2() *kernels {
	var k kernels
	s := &k.steps
	s.sincos = sincosAVX2
	s.place = placeAVX2
	s.addForce = addForceAVX2
	s.addArticulated = addArticulatedAVX2
	s.addComposite = addCompositeAVX2
	s.column = columnAVX2
	s.columnFloating = columnFloatingAVX2
	s.balanceBase = balanceBaseAVX2
	s.articulateBase = articulateBaseAVX2
	s.accelerateFloating = accelerateFloatingAVX2
	s.step[turning], s.step[axis], s.step[floating] = stepTurningAVX2, stepAxisAVX2, stepFloatingAVX2
	s.move[turning], s.move[axis], s.move[floating] = moveTurningAVX2, moveAxisAVX2, moveFloatingAVX2
	s.balance[turning], s.balance[axis], s.balance[floating] = balanceTurningAVX2, balanceAxisAVX2, balanceFloatingAVX2
	s.bias[turning], s.bias[axis], s.bias[floating] = biasTurningAVX2, biasAxisAVX2, biasFloatingAVX2
	s.articulate[turning], s.articulate[axis] = articulateTurningAVX2, articulateAxisAVX2
	s.accelerate[turning], s.accelerate[axis] = accelerateTurningAVX2, accelerateAxisAVX2
	s.compose[turning], s.compose[axis], s.compose[floating] = composeTurningAVX2, composeAxisAVX2, composeFloatingAVX2
	s.walk[turning], s.walk[axis] = walkTurningAVX2, walkAxisAVX2
	return &k
}
